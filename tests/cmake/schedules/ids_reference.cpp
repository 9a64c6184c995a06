#include <gputest/launch.h>

#include <CL/cl.h>

void ids_reference(cl_ulong* out, const gputest::Launch& launch) {
  const auto& size = launch.global_size;
  const auto& local = launch.local_size;
  const auto& offset = launch.global_offset;
  for (std::size_t z = 0; z < size[2]; ++z)
    for (std::size_t y = 0; y < size[1]; ++y)
      for (std::size_t x = 0; x < size[0]; ++x) {
        cl_ulong* line = out + 16 * ((z * size[1] + y) * size[0] + x);
        const std::size_t at[]{x, y, z};
        for (int i = 0; i < 3; ++i) {
          line[i] = at[i] + offset[i];
          line[3 + i] = at[i] / local[i];
          line[6 + i] = at[i] % local[i];
          line[9 + i] = size[i] / local[i];
        }
        line[12] = local[0] + 100 * local[1] + 10000 * local[2];
        line[13] = launch.dimensions;
        line[14] = x / local[0] * local[0] + offset[0];
        line[15] = offset[0] + 100 * offset[1] + 10000 * offset[2];
      }
}
