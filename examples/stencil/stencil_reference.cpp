#include <CL/cl.h>

#include <cstddef>
#include <vector>

// Heat flows over each pair of neighbours; at an edge without a torus there is no flow.
void diffuse_reference(const cl_float* now, cl_float* next, cl_int width, cl_int height,
                       cl_float rate, cl_int torus) {
  const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
  std::vector<double> heat(now, now + columns * rows);
  const auto flow = [&](std::size_t from, std::size_t to) {
    const double amount =
        static_cast<double>(rate) * (static_cast<double>(now[from]) - static_cast<double>(now[to]));
    heat[from] -= amount;
    heat[to] += amount;
  };
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x) {
      if (x + 1 < columns || torus)
        flow(y * columns + x, y * columns + (x + 1) % columns);
      if (y + 1 < rows || torus)
        flow(y * columns + x, (y + 1) % rows * columns + x);
    }
  for (std::size_t i = 0; i < heat.size(); ++i)
    next[i] = static_cast<cl_float>(heat[i]);
}
