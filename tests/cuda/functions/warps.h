// What calls of warps, cooperative groups and atomics must return, computed from the values of all
// threads of a block, in plain C++.
#pragma once

#include <climits>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <random>
#include <type_traits>
#include <vector>

namespace cg = cooperative_groups;
using ull = unsigned long long;

// A value that is larger than a register, for shuffles and reductions of a program's own types.
struct Trio {
  double b;
  int a;
  short c;
};
__host__ __device__ inline Trio larger(const Trio& x, const Trio& y) {
  const bool first = x.a > y.a || (x.a == y.a && x.c > y.c);
  return {x.b + y.b, first ? x.a : y.a, first ? x.c : y.c};
}

constexpr int kThreads = 64, kBlocks = 12, kValues = 509;

struct Inputs {
  int i[kValues], k[kValues]; // k: small numbers, for lanes and labels
  unsigned u[kValues], mask[kValues];
  unsigned short t[kValues];
  long long l[kValues];
  ull m[kValues];
  float f[kValues];
  double d[kValues];
  __half h[kValues];
  __nv_bfloat16 b[kValues];
  Trio s[kValues];
};

// What the threads of a block have in one row: theirs, and those of the warp.
__host__ __device__ inline int value_at(int row, int n) {
  return static_cast<int>((static_cast<unsigned>(n) * 5 + static_cast<unsigned>(row) * 31) %
                          kValues);
}
__host__ __device__ inline int mask_at(int row, int n) {
  return static_cast<int>((static_cast<unsigned>(n) / 32 * 3 + static_cast<unsigned>(row) * 7) %
                          kValues);
}

template <typename T> __host__ __device__ ull bits_of(const T& value) {
  if constexpr (std::is_same_v<T, Trio>)
    return bits_of(value.b) ^ static_cast<ull>(value.a) * 31 ^ static_cast<ull>(value.c) << 48;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<ull>(value);
  else {
    ull bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
}
template <typename T> __device__ void put(ull* out, int row, int n, const T& value) {
  out[row * kThreads * kBlocks + n] = bits_of(value);
}

struct Expected {
  bool known;
  ull bits;
};
static Expected unknown() {
  return {false, 0};
}
template <typename T> Expected exactly(const T& value) {
  return {true, bits_of(value)};
}

// The lane that a shuffle reads.
enum Shuffle { kIndex, kUp, kDown, kXor };
static int source(Shuffle kind, int lane, int by, int width) {
  const int begin = lane / width * width;
  by &= 31; // PTX ISA, shfl: "source operand b[4:0]"
  switch (kind) {
  case kIndex:
    return begin + by % width;
  case kUp:
    return lane - by < begin ? lane : lane - by;
  case kDown:
    return lane + by >= begin + width ? lane : lane + by;
  default:
    return (lane ^ by) >= begin + width ? lane : lane ^ by;
  }
}
template <typename T>
Expected shuffled(const T* v, unsigned mask, Shuffle kind, int lane, int by, int width) {
  const int from = source(kind, lane, by, width);
  return mask >> from & 1 ? exactly(v[from]) : unknown();
}

// Threads of a warp that do something together, and the place of one of them.
struct Group {
  std::vector<int> lanes;
  int rank = 0;
  int size() const { return static_cast<int>(lanes.size()); }
};
template <typename In> Group group_of(int lane, In in) {
  Group group;
  for (int other = 0; other < 32; ++other)
    if (in(other)) {
      if (other == lane)
        group.rank = group.size();
      group.lanes.push_back(other);
    }
  return group;
}
static Group tile(int lane, int size) {
  return group_of(lane, [&](int other) { return other / size == lane / size; });
}
static Group coalesced(unsigned mask, int lane) {
  return group_of(lane, [&](int other) { return mask >> other & 1; });
}
static Group part_of(const Group& all, int size) { // `size` threads in a row
  Group part;
  const int begin = all.rank / size * size;
  for (int i = begin; i < begin + size && i < all.size(); ++i)
    part.lanes.push_back(all.lanes[i]);
  part.rank = all.rank - begin;
  return part;
}
template <typename K> Group labeled(unsigned mask, const K* label, int lane) {
  return group_of(lane,
                  [&](int other) { return mask >> other & 1 && label[other] == label[lane]; });
}

template <typename T, typename Op> Expected reduced(const Group& group, const T* v, Op op) {
  T result = v[group.lanes[0]];
  for (int i = 1; i < group.size(); ++i)
    result = op(result, v[group.lanes[i]]);
  return exactly(result);
}
template <typename T, typename Op>
Expected scanned(const Group& group, const T* v, bool inclusive, Op op) {
  if (!inclusive && group.rank == 0)
    return exactly(T{});
  T result = v[group.lanes[0]];
  for (int i = 1; i < group.rank + (inclusive ? 1 : 0); ++i)
    result = op(result, v[group.lanes[i]]);
  return exactly(result);
}
template <typename T> Expected of_rank(const Group& group, const T* v, int rank) {
  return exactly(v[group.lanes[rank < 0 || rank >= group.size() ? group.rank : rank]]);
}
// Ones where the condition holds: by ranks in the group.
template <typename Condition> unsigned ballot_of(const Group& group, Condition condition) {
  unsigned result = 0;
  for (int i = 0; i < group.size(); ++i)
    if (condition(group.lanes[i]))
      result |= 1u << i;
  return result;
}
static unsigned all_of(const Group& group) {
  return group.size() == 32 ? ~0u : (1u << group.size()) - 1;
}
