// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands before sub_groups.cl and its kin. A sub-group is a number of work-items that follow each other, as CUDA's
// warps, and waits as these do (warps.c). A work-item writes its value to its place, waits for the others, and reads
// theirs.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

#define FUNCTION __attribute__((overloadable)) __attribute__((always_inline))
#define OWN static __attribute__((always_inline))
#define WAIT 0    // GPUTEST_WARP_SYNC
// Parameters of a wait (warps.c): only a barrier orders accesses.
#define VALUES 1
#define BARRIER 2
#define ABSENT 3 // the work-item takes the value of a lane that has not come
#define ACTIVE 19 // GPUTEST_WARP_ACTIVE
#define ALL_LANES (~0ul >> (64 - gputest_size()))

// The place of a work-item, by its linear local id, the wait of a sub-group, and the size of a full one
// (ir/kernels/work_items.cpp).
private void *gputest_place_of(ulong item);
ulong gputest_warp(uint kind, ulong lanes, ulong value, uint parameter);
uint gputest_warp_size(void);

#define LANES gputest_warp_size()

OWN uint gputest_item(void) {
  return (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
}
OWN uint gputest_items_of(size_t x, size_t y, size_t z) { return (uint)(x * y * z); }
OWN uint gputest_items(void) { return gputest_items_of(get_local_size(0), get_local_size(1), get_local_size(2)); }
OWN uint gputest_lane(void) { return gputest_item() % LANES; }
OWN uint gputest_first(void) { return gputest_item() - gputest_lane(); }
OWN uint gputest_size(void) {
  const uint left = gputest_items() - gputest_first();
  return left < LANES ? left : LANES;
}
// The lanes that have come here together. The others need not come. Those of the first call in the code go on first
// (answers.c), so that lanes which have passed a branch wait for those within.
OWN ulong gputest_here(void) { return gputest_warp(ACTIVE, 0, 0, 1); }

// Returns the operation on the values of `lanes`, from lane `begin` to before `finish`. `lanes` wait for each other.
#define FOLD(type, lanes, begin, finish, first, operation)                                                             \
  FOLD_IF(type, lanes, together >> lane_ & 1, begin, finish, first, operation)
// The same of all lanes of the sub-group.
#define FOLD_ALL(type, begin, finish, first, operation)                                                                \
  FOLD_IF(type, ALL_LANES, 1, begin, finish, first, operation)
// Functions by that: reduce_<name>, and scan_inclusive_ and scan_exclusive_<name>.
#define FOLDS_OF_ALL(prefix, type, name, first, operation)                                                             \
  FUNCTION type prefix##reduce_##name(type x) { FOLD_ALL(type, 0, gputest_size(), first, operation) }                  \
  FUNCTION type prefix##scan_inclusive_##name(type x) {                                                                \
    FOLD_ALL(type, 0, gputest_lane() + 1, first, operation)                                                            \
  }                                                                                                                    \
  FUNCTION type prefix##scan_exclusive_##name(type x) { FOLD_ALL(type, 0, gputest_lane(), first, operation) }
#define FOLD_IF(type, lanes, takes_part, begin, finish, first, operation)                                              \
  const ulong together = (lanes);                                                                                      \
  *(private type *)gputest_place_of(gputest_item()) = x;                                                               \
  gputest_warp(WAIT, together, 0, VALUES);                                                                             \
  type result = first;                                                                                                 \
  for (uint lane_ = (begin), end_ = (finish); lane_ < end_; ++lane_)                                                   \
    if (takes_part) {                                                                                                  \
      const type y = *(private type *)gputest_place_of(gputest_first() + lane_);                                       \
      result = operation;                                                                                              \
    }                                                                                                                  \
  gputest_warp(WAIT, together, 0, VALUES); /* the next function writes the places again */                             \
  return result;

// Returns the value of a lane. That of one that is not there is undefined; here it is the work-item's own.
#define TAKE(type, lanes, lane)                                                                                        \
  const uint from = (lane);                                                                                            \
  const ulong together = (lanes);                                                                                      \
  const bool there = from < gputest_size(), takes_part = there && (together >> (from % 64) & 1);                       \
  *(private type *)gputest_place_of(gputest_item()) = x;                                                               \
  gputest_warp(WAIT, together, 0, VALUES);                                                                             \
  const type result =                                                                                                  \
      *(private type *)gputest_place_of(takes_part ? gputest_first() + from : gputest_item());                         \
  gputest_warp(WAIT, together, from, there && !takes_part ? ABSENT : VALUES);                                          \
  return result;
#define TAKE_OF_ALL(type, lane)                                                                                        \
  const uint from = (lane);                                                                                            \
  const bool there = from < gputest_size();                                                                            \
  FOLD_ALL(type, there ? from : 0, there ? from + 1 : 0, x, y)

#define ALL_TYPES(DO)                                                                                                  \
  DO(char, CHAR_MIN, CHAR_MAX)                                                                                         \
  DO(uchar, 0, UCHAR_MAX)                                                                                              \
  DO(short, SHRT_MIN, SHRT_MAX)                                                                                        \
  DO(ushort, 0, USHRT_MAX)                                                                                             \
  DO(int, INT_MIN, INT_MAX)                                                                                            \
  DO(uint, 0, UINT_MAX)                                                                                                \
  DO(long, LONG_MIN, LONG_MAX)                                                                                         \
  DO(ulong, 0, ULONG_MAX)                                                                                              \
  DO(half, -(half)INFINITY, (half)INFINITY)                                                                            \
  DO(float, -INFINITY, INFINITY)                                                                                       \
  DO(double, -(double)INFINITY, (double)INFINITY)
#define INTEGERS(DO) DO(char) DO(uchar) DO(short) DO(ushort) DO(int) DO(uint) DO(long) DO(ulong)

#define PART_AT(i, name, argument) r.s##i = name(x.s##i, argument);
#define PARTS_2(name, argument) PART_AT(0, name, argument) PART_AT(1, name, argument)
#define PARTS_3(name, argument) PARTS_2(name, argument) PART_AT(2, name, argument)
#define PARTS_4(name, argument) PARTS_3(name, argument) PART_AT(3, name, argument)
#define PARTS_8(name, argument)                                                                                        \
  PARTS_4(name, argument)                                                                                              \
  PART_AT(4, name, argument) PART_AT(5, name, argument) PART_AT(6, name, argument) PART_AT(7, name, argument)
#define PARTS_16(name, argument)                                                                                       \
  PARTS_8(name, argument)                                                                                              \
  PART_AT(8, name, argument) PART_AT(9, name, argument) PART_AT(a, name, argument) PART_AT(b, name, argument)          \
  PART_AT(c, name, argument) PART_AT(d, name, argument) PART_AT(e, name, argument) PART_AT(f, name, argument)
// A function of vectors with one more argument, component by component.
#define OF_PARTS(n, type, name)                                                                                        \
  FUNCTION type##n name(type##n x, uint argument) {                                                                    \
    type##n r;                                                                                                         \
    PARTS_##n(name, argument) return r;                                                                                \
  }
#define OF_VECTORS(type, name)                                                                                         \
  OF_PARTS(2, type, name)                                                                                              \
  OF_PARTS(3, type, name) OF_PARTS(4, type, name) OF_PARTS(8, type, name) OF_PARTS(16, type, name)
