#include <gputest/reference.h>

#include <CL/cl.h>
#include <cstdint>
#include <span>

namespace physics {

struct Body {
  cl_float4 position;
  float mass;
  float padding[3];
};

inline void step(std::span<Body> bodies, const cl_float4* positions, const double* mass,
                 std::span<const std::uint16_t>, float dt, cl_float3 origin, Body first,
                 gputest::ImageView field, gputest::SamplerView, unsigned char* scratch) {
  bodies[0].mass = dt * static_cast<float>(mass[0]) + positions[0].s[0] + origin.s[0] + first.mass +
                   *field.pixel<float>(0) + static_cast<float>(scratch[0]);
}

} // namespace physics
