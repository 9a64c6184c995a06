// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that describe an NDRange (OpenCL C 2.0, 6.13.17.8). Compiled when a kernel calls one of them, and
// linked with it. A local size of 0 means that the simulator chooses it.

#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))

static __attribute__((always_inline)) ndrange_t gputest_range(uint dimensions, const size_t *offset,
                                                              const size_t *global_size, const size_t *local_size) {
  ndrange_t range;
  range.workDimension = dimensions;
  for (uint i = 0; i < 3; ++i) {
    const int there = i < dimensions;
    range.globalWorkOffset[i] = there && offset ? offset[i] : 0;
    range.globalWorkSize[i] = there ? global_size[i] : 1;
    range.localWorkSize[i] = !there ? 1 : local_size ? local_size[i] : 0;
  }
  return range;
}

FUNCTION ndrange_t ndrange_1D(size_t global_size) { return gputest_range(1, 0, &global_size, 0); }
FUNCTION ndrange_t ndrange_1D(size_t global_size, size_t local_size) {
  return gputest_range(1, 0, &global_size, &local_size);
}
FUNCTION ndrange_t ndrange_1D(size_t offset, size_t global_size, size_t local_size) {
  return gputest_range(1, &offset, &global_size, &local_size);
}

#define RANGE(dimensions)                                                                                              \
  FUNCTION ndrange_t ndrange_##dimensions##D(const size_t global_size[dimensions]) {                                   \
    return gputest_range(dimensions, 0, global_size, 0);                                                               \
  }                                                                                                                    \
  FUNCTION ndrange_t ndrange_##dimensions##D(const size_t global_size[dimensions],                                     \
                                             const size_t local_size[dimensions]) {                                    \
    return gputest_range(dimensions, 0, global_size, local_size);                                                      \
  }                                                                                                                    \
  FUNCTION ndrange_t ndrange_##dimensions##D(const size_t offset[dimensions], const size_t global_size[dimensions],    \
                                             const size_t local_size[dimensions]) {                                    \
    return gputest_range(dimensions, offset, global_size, local_size);                                                 \
  }
RANGE(2)
RANGE(3)
