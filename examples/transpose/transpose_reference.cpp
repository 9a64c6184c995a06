#include <gputest/launch.h>

#include <CL/cl.h>

void transpose_reference(const cl_uchar4* in, cl_uchar4* out, cl_uint width, cl_uint height,
                         const gputest::Launch& launch) {
  const std::size_t pixels = std::size_t{width} * height;
  for (std::size_t layer = 0; layer < launch.global_size[2]; ++layer)
    for (std::size_t i = 0; i < pixels; ++i)
      out[layer * pixels + i % width * height + i / width] = in[layer * pixels + i];
}
