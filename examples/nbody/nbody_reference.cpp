#include "body.h"

#include <cmath>
#include <cstddef>

// In double precision, pair by pair.
void advance_reference(const Body* now, Body* next, Simulation simulation, const cl_float4*) {
  const double step = static_cast<double>(simulation.time_step);
  const double softening = static_cast<double>(simulation.softening);
  for (cl_uint i = 0; i < simulation.bodies; ++i) {
    double acceleration[3] = {};
    for (cl_uint j = 0; j < simulation.bodies; ++j) {
      double way[3];
      for (std::size_t axis = 0; axis < 3; ++axis)
        way[axis] = static_cast<double>(now[j].position.s[axis]) -
                    static_cast<double>(now[i].position.s[axis]);
      const double distance = std::hypot(std::hypot(way[0], way[1], way[2]), softening);
      if (distance > 0)
        for (std::size_t axis = 0; axis < 3; ++axis)
          acceleration[axis] +=
              static_cast<double>(now[j].position.s[3]) * way[axis] / std::pow(distance, 3);
    }
    next[i] = now[i];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double velocity =
          static_cast<double>(now[i].velocity.s[axis]) + acceleration[axis] * step;
      next[i].velocity.s[axis] = static_cast<cl_float>(velocity);
      next[i].position.s[axis] =
          static_cast<cl_float>(static_cast<double>(now[i].position.s[axis]) + velocity * step);
    }
  }
}
