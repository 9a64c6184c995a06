// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that templates/intel_sub_groups.h declares. Not all work-items of a sub-group need to call a shuffle;
// all call the others together. Compiled when a kernel calls one of them, and linked with it.

#define SHUFFLES(type)                                                                                                 \
  FUNCTION type intel_sub_group_shuffle(type x, uint lane) { TAKE(type, gputest_here(), lane) }                        \
  FUNCTION type intel_sub_group_shuffle_xor(type x, uint mask) { TAKE(type, gputest_here(), gputest_lane() ^ mask) }   \
  static FUNCTION type gputest_moved(type x, uint lane) { TAKE(type, gputest_here(), lane) }                           \
  FUNCTION type intel_sub_group_shuffle_down(type x, type next, uint by) {                                             \
    const uint from = gputest_lane() + by, size = get_max_sub_group_size();                                            \
    const type near = gputest_moved(x, from), far = gputest_moved(next, from - size);                                  \
    return from < size ? near : far;                                                                                   \
  }                                                                                                                    \
  FUNCTION type intel_sub_group_shuffle_up(type previous, type x, uint by) {                                           \
    const uint from = gputest_lane() - by, size = get_max_sub_group_size();                                            \
    const type near = gputest_moved(x, from), far = gputest_moved(previous, from + size);                              \
    return gputest_lane() >= by ? near : far;                                                                          \
  }
#define PAIR_AT(i, name) r.s##i = name(x.s##i, y.s##i, by);
#define PAIRS_2(name) PAIR_AT(0, name) PAIR_AT(1, name)
#define PAIRS_3(name) PAIRS_2(name) PAIR_AT(2, name)
#define PAIRS_4(name) PAIRS_3(name) PAIR_AT(3, name)
#define PAIRS_8(name) PAIRS_4(name) PAIR_AT(4, name) PAIR_AT(5, name) PAIR_AT(6, name) PAIR_AT(7, name)
#define PAIRS_16(name)                                                                                                 \
  PAIRS_8(name)                                                                                                        \
  PAIR_AT(8, name) PAIR_AT(9, name) PAIR_AT(a, name) PAIR_AT(b, name)                                                  \
  PAIR_AT(c, name) PAIR_AT(d, name) PAIR_AT(e, name) PAIR_AT(f, name)
#define OF_PAIRS(n, type, name)                                                                                        \
  FUNCTION type##n name(type##n x, type##n y, uint by) {                                                               \
    type##n r;                                                                                                         \
    PAIRS_##n(name) return r;                                                                                          \
  }
#define VECTORS_OF_PAIRS(type, name)                                                                                   \
  OF_PAIRS(2, type, name)                                                                                              \
  OF_PAIRS(3, type, name) OF_PAIRS(4, type, name) OF_PAIRS(8, type, name) OF_PAIRS(16, type, name)
#define VECTOR_SHUFFLES(type)                                                                                          \
  SHUFFLES(type)                                                                                                       \
  OF_VECTORS(type, intel_sub_group_shuffle)                                                                            \
  OF_VECTORS(type, intel_sub_group_shuffle_xor)                                                                        \
  VECTORS_OF_PAIRS(type, intel_sub_group_shuffle_down)                                                                 \
  VECTORS_OF_PAIRS(type, intel_sub_group_shuffle_up)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
VECTOR_SHUFFLES(char)
VECTOR_SHUFFLES(uchar)
VECTOR_SHUFFLES(short)
VECTOR_SHUFFLES(ushort)
VECTOR_SHUFFLES(int)
VECTOR_SHUFFLES(uint)
VECTOR_SHUFFLES(float)
SHUFFLES(long)
SHUFFLES(ulong)
SHUFFLES(half)
SHUFFLES(double)

// Component by component: a component of the whole sub-group follows the one before, in an image in the next row.
#define BLOCK_IN(space, type, ending)                                                                                  \
  FUNCTION type intel_sub_group_block_read##ending(const space type *from) { return from[gputest_lane()]; }            \
  FUNCTION void intel_sub_group_block_write##ending(space type *to, type x) { to[gputest_lane()] = x; }
#define BLOCKS_IN(space, type, ending, n)                                                                              \
  FUNCTION type##n intel_sub_group_block_read##ending##n(const space type *from) {                                     \
    type##n r;                                                                                                         \
    for (uint i = 0; i < n; ++i)                                                                                       \
      r[i] = from[gputest_lane() + i * get_max_sub_group_size()];                                                      \
    return r;                                                                                                          \
  }                                                                                                                    \
  FUNCTION void intel_sub_group_block_write##ending##n(space type *to, type##n x) {                                    \
    for (uint i = 0; i < n; ++i)                                                                                       \
      to[gputest_lane() + i * get_max_sub_group_size()] = x[i];                                                        \
  }

// The bytes at a byte of a row, whatever the image's format (simulator/memory/images.h).
ulong gputest_block_read(const global void *image, int x, int y, uint bytes);
void gputest_block_write(const global void *image, int x, int y, uint bytes, ulong bits);
#define HANDLE(access) const global void *__attribute__((overloadable)) gputest_image_of(access image2d_t image);
HANDLE(read_only)
HANDLE(write_only)
HANDLE(read_write)
#define IN_ROW(type, i) at.x + (int)(gputest_lane() * sizeof(type)), at.y + i, sizeof(type)
#define IMAGE_READ(access, type, ending)                                                                               \
  FUNCTION type intel_sub_group_block_read##ending(access image2d_t from, int2 at) {                                   \
    return (type)gputest_block_read(gputest_image_of(from), IN_ROW(type, 0));                                          \
  }
#define IMAGE_READS(access, type, ending, n)                                                                           \
  FUNCTION type##n intel_sub_group_block_read##ending##n(access image2d_t from, int2 at) {                             \
    type##n r;                                                                                                         \
    for (int i = 0; i < n; ++i)                                                                                        \
      r[i] = (type)gputest_block_read(gputest_image_of(from), IN_ROW(type, i));                                        \
    return r;                                                                                                          \
  }
#define IMAGE_WRITE(access, type, ending)                                                                              \
  FUNCTION void intel_sub_group_block_write##ending(access image2d_t to, int2 at, type x) {                            \
    gputest_block_write(gputest_image_of(to), IN_ROW(type, 0), x);                                                     \
  }
#define IMAGE_WRITES(access, type, ending, n)                                                                          \
  FUNCTION void intel_sub_group_block_write##ending##n(access image2d_t to, int2 at, type##n x) {                      \
    for (int i = 0; i < n; ++i)                                                                                        \
      gputest_block_write(gputest_image_of(to), IN_ROW(type, i), x[i]);                                                \
  }

#define BLOCK(type, ending)                                                                                            \
  BLOCK_IN(__global, type, ending)                                                                                     \
  BLOCK_IN(__local, type, ending)                                                                                      \
  IMAGE_READ(read_only, type, ending)                                                                                  \
  IMAGE_READ(read_write, type, ending)                                                                                 \
  IMAGE_WRITE(write_only, type, ending)                                                                                \
  IMAGE_WRITE(read_write, type, ending)                                                                                \
  BLOCKS(type, ending, 2)                                                                                              \
  BLOCKS(type, ending, 4)                                                                                              \
  BLOCKS(type, ending, 8)
#define BLOCKS(type, ending, n)                                                                                        \
  BLOCKS_IN(__global, type, ending, n)                                                                                 \
  BLOCKS_IN(__local, type, ending, n)                                                                                  \
  IMAGE_READS(read_only, type, ending, n)                                                                              \
  IMAGE_READS(read_write, type, ending, n)                                                                             \
  IMAGE_WRITES(write_only, type, ending, n)                                                                            \
  IMAGE_WRITES(read_write, type, ending, n)
BLOCK(uint, )
BLOCK(uint, _ui)
BLOCK(ushort, _us)
BLOCK(uchar, _uc)
BLOCK(ulong, _ul)
BLOCKS(ushort, _us, 16)
BLOCKS(uchar, _uc, 16)

#define SMALL(type)                                                                                                    \
  FUNCTION type intel_sub_group_broadcast(type x, uint lane) { return sub_group_broadcast(x, lane); }                  \
  FUNCTION type##2 intel_sub_group_broadcast(type##2 x, uint lane) { return sub_group_broadcast(x, lane); }            \
  FUNCTION type##3 intel_sub_group_broadcast(type##3 x, uint lane) { return sub_group_broadcast(x, lane); }            \
  FUNCTION type##4 intel_sub_group_broadcast(type##4 x, uint lane) { return sub_group_broadcast(x, lane); }            \
  FUNCTION type##8 intel_sub_group_broadcast(type##8 x, uint lane) { return sub_group_broadcast(x, lane); }            \
  FOLDS_OF_ALL(intel_sub_group_, type, add, 0, result + y)                                                             \
  FOLDS_OF_ALL(intel_sub_group_, type, min, SMALL_MAX(type), y < result ? y : result)                                  \
  FOLDS_OF_ALL(intel_sub_group_, type, max, SMALL_MIN(type), y > result ? y : result)
#define SMALL_MAX(type) ((type)(((type)-1 < 0 ? (1 << (8 * sizeof(type) - 1)) : (1 << 8 * sizeof(type))) - 1))
#define SMALL_MIN(type) ((type)((type)-1 < 0 ? -(1 << (8 * sizeof(type) - 1)) : 0))
SMALL(char)
SMALL(uchar)
SMALL(short)
SMALL(ushort)
