// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of a whole work-group (OpenCL C 1.2, 6.12.10). Linked with kernels that call one of them, in
// place of libclc's, whose wait is a barrier: what the simulator makes of them is native
// (simulator/checks/copies.h).

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))

// Copy `count` elements of `size` bytes. Strides are in elements.
event_t gputest_copy_in(local void *to, const global void *from, size_t count, size_t size, size_t to_stride,
                        size_t from_stride, event_t event);
event_t gputest_copy_out(global void *to, const local void *from, size_t count, size_t size, size_t to_stride,
                         size_t from_stride, event_t event);
void gputest_wait(int count, int index, event_t event);

#define COPIES(type)                                                                                                   \
  FUNCTION event_t async_work_group_copy(local type *to, const global type *from, size_t count, event_t event) {       \
    return gputest_copy_in(to, from, count, sizeof(type), 1, 1, event);                                                \
  }                                                                                                                    \
  FUNCTION event_t async_work_group_copy(global type *to, const local type *from, size_t count, event_t event) {       \
    return gputest_copy_out(to, from, count, sizeof(type), 1, 1, event);                                               \
  }                                                                                                                    \
  FUNCTION event_t async_work_group_strided_copy(local type *to, const global type *from, size_t count, size_t stride, \
                                                 event_t event) {                                                      \
    return gputest_copy_in(to, from, count, sizeof(type), 1, stride, event);                                           \
  }                                                                                                                    \
  FUNCTION event_t async_work_group_strided_copy(global type *to, const local type *from, size_t count, size_t stride, \
                                                 event_t event) {                                                      \
    return gputest_copy_out(to, from, count, sizeof(type), stride, 1, event);                                          \
  }
#define ALL(type) COPIES(type) COPIES(type##2) COPIES(type##3) COPIES(type##4) COPIES(type##8) COPIES(type##16)

ALL(char)
ALL(uchar)
ALL(short)
ALL(ushort)
ALL(int)
ALL(uint)
ALL(long)
ALL(ulong)
ALL(float)
ALL(double)
ALL(half)

FUNCTION void wait_group_events(int count, event_t *events) {
  for (int i = 0; i < count; ++i)
    gputest_wait(count, i, events[i]);
}
