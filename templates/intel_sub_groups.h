// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the functions of cl_intel_subgroups, of its extensions of char, short and long, and of
// cl_intel_subgroup_local_block_io. Clang has no table of them. Stands after opencl-c-base.h where
// a source names one.

#define __gputest_intel __attribute__((overloadable)) __attribute__((convergent))
#define __gputest_intel_shuffle(type)                                                              \
  __gputest_intel type intel_sub_group_shuffle(type x, uint lane);                                 \
  __gputest_intel type intel_sub_group_shuffle_xor(type x, uint mask);                             \
  __gputest_intel type intel_sub_group_shuffle_down(type x, type next, uint by);                   \
  __gputest_intel type intel_sub_group_shuffle_up(type previous, type x, uint by);
#define __gputest_intel_shuffles(type)                                                             \
  __gputest_intel_shuffle(type) __gputest_intel_shuffle(type##2) __gputest_intel_shuffle(type##3)  \
      __gputest_intel_shuffle(type##4) __gputest_intel_shuffle(type##8)                            \
          __gputest_intel_shuffle(type##16)
__gputest_intel_shuffles(char) __gputest_intel_shuffles(uchar) __gputest_intel_shuffles(short)
    __gputest_intel_shuffles(ushort) __gputest_intel_shuffles(int) __gputest_intel_shuffles(uint)
        __gputest_intel_shuffles(float) __gputest_intel_shuffle(long) __gputest_intel_shuffle(ulong)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
            __gputest_intel_shuffle(half)
#endif
#ifdef cl_khr_fp64
                __gputest_intel_shuffle(double)
#endif

#define __gputest_intel_image_read(type, ending, n, access)                                        \
  __gputest_intel type##n intel_sub_group_block_read##ending##n(access image2d_t from, int2 at);
#define __gputest_intel_image_write(type, ending, n, access)                                       \
  __gputest_intel void intel_sub_group_block_write##ending##n(access image2d_t to, int2 at,        \
                                                              type##n x);
#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)
#define __gputest_intel_image_both(type, ending, n)                                                \
  __gputest_intel_image_read(type, ending, n, read_write)                                          \
      __gputest_intel_image_write(type, ending, n, read_write)
#else
#define __gputest_intel_image_both(type, ending, n)
#endif
#define __gputest_intel_block(type, ending, n, ...)                                                \
  __gputest_intel type##n intel_sub_group_block_read##ending##n(const __global type* from);        \
  __gputest_intel type##n intel_sub_group_block_read##ending##n(const __local type* from);         \
  __gputest_intel void intel_sub_group_block_write##ending##n(__global type* to, type##n x);       \
  __gputest_intel void intel_sub_group_block_write##ending##n(__local type* to, type##n x);        \
  __gputest_intel_image_read(type, ending, n, read_only)                                           \
      __gputest_intel_image_write(type, ending, n, write_only)                                     \
          __gputest_intel_image_both(type, ending, n)
#define __gputest_intel_blocks(type, ending)                                                       \
  __gputest_intel_block(type, ending, ) __gputest_intel_block(type, ending, 2)                     \
      __gputest_intel_block(type, ending, 4) __gputest_intel_block(type, ending, 8)
                    __gputest_intel_blocks(uint, ) __gputest_intel_blocks(uint, _ui)
                        __gputest_intel_blocks(ushort, _us) __gputest_intel_blocks(uchar, _uc)
                            __gputest_intel_blocks(ulong, _ul)
                                __gputest_intel_block(ushort, _us, 16)
                                    __gputest_intel_block(uchar, _uc, 16)

#define __gputest_intel_small(type)                                                                \
  __gputest_intel type intel_sub_group_broadcast(type x, uint lane);                               \
  __gputest_intel type intel_sub_group_reduce_add(type x);                                         \
  __gputest_intel type intel_sub_group_reduce_min(type x);                                         \
  __gputest_intel type intel_sub_group_reduce_max(type x);                                         \
  __gputest_intel type intel_sub_group_scan_exclusive_add(type x);                                 \
  __gputest_intel type intel_sub_group_scan_exclusive_min(type x);                                 \
  __gputest_intel type intel_sub_group_scan_exclusive_max(type x);                                 \
  __gputest_intel type intel_sub_group_scan_inclusive_add(type x);                                 \
  __gputest_intel type intel_sub_group_scan_inclusive_min(type x);                                 \
  __gputest_intel type intel_sub_group_scan_inclusive_max(type x);
                                        __gputest_intel_small(char) __gputest_intel_small(uchar)
                                            __gputest_intel_small(short)
                                                __gputest_intel_small(ushort)
#define __gputest_intel_broadcasts(type)                                                           \
  __gputest_intel type##2 intel_sub_group_broadcast(type##2 x, uint lane);                         \
  __gputest_intel type##3 intel_sub_group_broadcast(type##3 x, uint lane);                         \
  __gputest_intel type##4 intel_sub_group_broadcast(type##4 x, uint lane);                         \
  __gputest_intel type##8 intel_sub_group_broadcast(type##8 x, uint lane);
                                                    __gputest_intel_broadcasts(char)
                                                        __gputest_intel_broadcasts(uchar)
                                                            __gputest_intel_broadcasts(short)
                                                                __gputest_intel_broadcasts(ushort)
