#include <gputest/launch.h>

#include <CL/cl.h>

// In double precision, element by element: which group owns element i follows from its index.
void reduce_reference(const cl_float* input, cl_uint n, cl_float* partial,
                      const gputest::Launch& launch) {
  const std::size_t group_size = launch.local_size[0];
  const std::size_t groups = launch.global_size[0] / group_size;
  for (std::size_t group = 0; group < groups; ++group) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (i / group_size % groups == group)
        sum += static_cast<double>(input[i]);
    partial[group] = static_cast<cl_float>(sum);
  }
}
