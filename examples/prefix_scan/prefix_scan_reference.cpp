#include <gputest/launch.h>

#include <CL/cl.h>

void scan_blocks_reference(const cl_int* input, cl_int* output, cl_int* block_sums, cl_uint n,
                           cl_int* /*scratch*/, const gputest::Launch& launch) {
  const std::size_t width = launch.local_size[0];
  cl_int sum = 0;
  for (std::size_t i = 0; i < launch.global_size[0]; ++i) {
    if (i % width == 0)
      sum = 0;
    if (i < n)
      output[i] = sum += input[i];
    block_sums[i / width] = sum;
  }
}
