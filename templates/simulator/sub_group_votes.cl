// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of sub-groups that not all work-items need to call: cl_khr_subgroup_ballot, non_uniform_vote,
// non_uniform_arithmetic, clustered_reduce, shuffle, shuffle_relative and rotate. Those that come together take part.
// Compiled when a kernel calls one of them, and linked with it.

OWN ulong gputest_word(uint4 bits) { return (ulong)bits.y << 32 | bits.x; }
OWN uint4 gputest_bits(ulong word) { return (uint4)((uint)word, (uint)(word >> 32), 0, 0); }
OWN ulong gputest_below(uint lane) { return lane < 64 ? (1ul << lane) - 1 : ~0ul; }
OWN ulong gputest_present(uint4 bits) { return gputest_word(bits) & gputest_below(gputest_size()); }

FUNCTION uint4 get_sub_group_eq_mask(void) { return gputest_bits(1ul << gputest_lane()); }
FUNCTION uint4 get_sub_group_ge_mask(void) {
  return gputest_bits(gputest_below(get_max_sub_group_size()) & ~gputest_below(gputest_lane()));
}
FUNCTION uint4 get_sub_group_gt_mask(void) {
  return gputest_bits(gputest_below(get_max_sub_group_size()) & ~gputest_below(gputest_lane() + 1));
}
FUNCTION uint4 get_sub_group_le_mask(void) { return gputest_bits(gputest_below(gputest_lane() + 1)); }
FUNCTION uint4 get_sub_group_lt_mask(void) { return gputest_bits(gputest_below(gputest_lane())); }

OWN ulong gputest_voting(int x) { FOLD(ulong, gputest_here(), 0, gputest_size(), 0, y ? result | 1ul << lane_ : result) }
FUNCTION uint4 sub_group_ballot(int x) { return gputest_bits(gputest_voting(x != 0)); }
FUNCTION int sub_group_inverse_ballot(uint4 value) { return gputest_word(value) >> gputest_lane() & 1; }
FUNCTION int sub_group_ballot_bit_extract(uint4 value, uint index) {
  return index < 64 ? gputest_word(value) >> index & 1 : 0;
}
FUNCTION uint sub_group_ballot_bit_count(uint4 value) { return (uint)popcount(gputest_present(value)); }
FUNCTION uint sub_group_ballot_inclusive_scan(uint4 value) {
  return (uint)popcount(gputest_present(value) & gputest_below(gputest_lane() + 1));
}
FUNCTION uint sub_group_ballot_exclusive_scan(uint4 value) {
  return (uint)popcount(gputest_present(value) & gputest_below(gputest_lane()));
}
FUNCTION uint sub_group_ballot_find_lsb(uint4 value) {
  const ulong bits = gputest_present(value);
  return (uint)popcount((bits & -bits) - 1);
}
FUNCTION uint sub_group_ballot_find_msb(uint4 value) { return (uint)(63 - clz(gputest_present(value))); }

FUNCTION int sub_group_elect(void) {
  const ulong here = gputest_here();
  return popcount((here & -here) - 1) == gputest_lane();
}
FUNCTION int sub_group_non_uniform_all(int x) { FOLD(int, gputest_here(), 0, gputest_size(), 1, result && y) }
FUNCTION int sub_group_non_uniform_any(int x) { FOLD(int, gputest_here(), 0, gputest_size(), 0, result || y) }

// The lanes of its cluster, from the first on.
#define CLUSTER(type, size, first, operation)                                                                          \
  const uint begin = gputest_lane() / size * size;                                                                     \
  FOLD(type, gputest_here(), begin, begin + size < gputest_size() ? begin + size : gputest_size(), first, operation)

#define REDUCE(type, name, first, operation)                                                                           \
  FUNCTION type sub_group_non_uniform_reduce_##name(type x) {                                                          \
    FOLD(type, gputest_here(), 0, gputest_size(), first, operation)                                                    \
  }                                                                                                                    \
  FUNCTION type sub_group_non_uniform_scan_inclusive_##name(type x) {                                                  \
    FOLD(type, gputest_here(), 0, gputest_lane() + 1, first, operation)                                                \
  }                                                                                                                    \
  FUNCTION type sub_group_non_uniform_scan_exclusive_##name(type x) {                                                  \
    FOLD(type, gputest_here(), 0, gputest_lane(), first, operation)                                                    \
  }                                                                                                                    \
  FUNCTION type sub_group_clustered_reduce_##name(type x, uint size) { CLUSTER(type, size, first, operation) }

#define VOTES(type, least, most)                                                                                       \
  FUNCTION type sub_group_shuffle(type x, uint lane) { TAKE(type, gputest_here(), lane) }                              \
  FUNCTION type sub_group_shuffle_xor(type x, uint mask) { TAKE(type, gputest_here(), gputest_lane() ^ mask) }         \
  FUNCTION type sub_group_shuffle_up(type x, uint by) { TAKE(type, gputest_here(), gputest_lane() - by) }              \
  FUNCTION type sub_group_shuffle_down(type x, uint by) { TAKE(type, gputest_here(), gputest_lane() + by) }            \
  FUNCTION type sub_group_rotate(type x, int by) {                                                                     \
    TAKE(type, gputest_here(), (gputest_lane() + (uint)by) % get_max_sub_group_size())                                 \
  }                                                                                                                    \
  FUNCTION type sub_group_clustered_rotate(type x, int by, uint size) {                                                \
    TAKE(type, gputest_here(), gputest_lane() / size * size + (gputest_lane() + (uint)by) % size)                      \
  }                                                                                                                    \
  FUNCTION type sub_group_non_uniform_broadcast(type x, uint lane) { TAKE(type, gputest_here(), lane) }                \
  OF_VECTORS(type, sub_group_non_uniform_broadcast)                                                                    \
  FUNCTION type sub_group_broadcast_first(type x) {                                                                    \
    const ulong here = gputest_here();                                                                                 \
    TAKE(type, here, (uint)popcount((here & -here) - 1))                                                               \
  }                                                                                                                    \
  FUNCTION int sub_group_non_uniform_all_equal(type x) {                                                               \
    const type one = sub_group_broadcast_first(x);                                                                     \
    return sub_group_non_uniform_all(x == one);                                                                        \
  }                                                                                                                    \
  REDUCE(type, add, 0, result + y)                                                                                     \
  REDUCE(type, mul, 1, result * y)                                                                                     \
  REDUCE(type, min, most, y < result ? y : result)                                                                     \
  REDUCE(type, max, least, y > result ? y : result)
ALL_TYPES(VOTES)

#define BITS(type)                                                                                                     \
  REDUCE(type, and, (type)-1, result & y)                                                                              \
  REDUCE(type, or, 0, result | y)                                                                                      \
  REDUCE(type, xor, 0, result ^ y)
INTEGERS(BITS)
REDUCE(int, logical_and, 1, result && y)
REDUCE(int, logical_or, 0, result || y)
REDUCE(int, logical_xor, 0, !result != !y)
