// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, scans and copies by cooperative groups (CUDA C++ Programming Guide, "Group
// Collectives"). cooperative_groups.h includes this header.
#ifndef GPUTEST_CUDA_GROUP_ALGORITHMS_H
#define GPUTEST_CUDA_GROUP_ALGORITHMS_H

namespace cooperative_groups {
namespace __v1 {

template <typename T> struct plus {
  GPUTEST_CG T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct less {
  GPUTEST_CG T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T> struct greater {
  GPUTEST_CG T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T> struct bit_and {
  GPUTEST_CG T operator()(T a, T b) const { return a & b; }
};
template <typename T> struct bit_or {
  GPUTEST_CG T operator()(T a, T b) const { return a | b; }
};
template <typename T> struct bit_xor {
  GPUTEST_CG T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned Size, typename Parent, typename T, typename Op>
GPUTEST_CG T reduce(const thread_block_tile<Size, Parent>& group, T value, Op&& op) {
  for (int lanes = Size / 2; lanes > 0; lanes /= 2)
    value = op(value, group.shfl_xor(value, lanes));
  return value;
}
template <typename T, typename Op>
GPUTEST_CG T reduce(const coalesced_group& group, T value, Op&& op) {
  T result = group.shfl(value, 0);
  for (unsigned i = 1; i < group.size(); ++i)
    result = op(result, group.shfl(value, (int)i));
  return result;
}
template <typename Group, typename T, typename Op>
GPUTEST_CG T inclusive_scan(const Group& group, T value, Op&& op) {
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T before = group.shfl_up(value, (int)delta);
    if (group.thread_rank() >= delta)
      value = op(before, value);
  }
  return value;
}
template <typename Group, typename T> GPUTEST_CG T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <typename Group, typename T, typename Op>
GPUTEST_CG T exclusive_scan(const Group& group, T value, Op&& op) {
  const T all = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T{} : all;
}
template <typename Group, typename T> GPUTEST_CG T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

// One thread applies a group's result to a `cuda::atomic` or `cuda::atomic_ref`.
namespace details {
template <typename Atomic, typename T, typename Op>
GPUTEST_CG T update(Atomic& at, T value, Op&& op) {
  T old = at.load();
  while (!at.compare_exchange_weak(old, op(old, value)))
    ;
  return old;
}
template <typename Group, typename Atomic, typename T, typename Op>
GPUTEST_CG T update_by_last(const Group& group, Atomic& at, T all, Op&& op) {
  const unsigned last = (unsigned)group.size() - 1;
  T old{};
  if (group.thread_rank() == last)
    old = update(at, all, op);
  return group.shfl(old, (int)last);
}
} // namespace details
template <typename Group, typename Atomic, typename T, typename Op>
GPUTEST_CG void reduce_update_async(const Group& group, Atomic& at, T value, Op&& op) {
  const T all = reduce(group, value, op);
  if (group.thread_rank() == 0)
    details::update(at, all, op);
}
template <typename Group, typename Atomic, typename T, typename Op>
GPUTEST_CG void reduce_store_async(const Group& group, Atomic& at, T value, Op&& op) {
  const T all = reduce(group, value, op);
  if (group.thread_rank() == 0)
    at.store(all);
}
template <typename Group, typename T, typename Op>
GPUTEST_CG void reduce_store_async(const Group& group, T* at, T value, Op&& op) {
  const T all = reduce(group, value, op);
  if (group.thread_rank() == 0)
    *at = all;
}
template <typename Group, typename Atomic, typename T, typename Op>
GPUTEST_CG T inclusive_scan_update(const Group& group, Atomic& at, T value, Op&& op) {
  const T sum = inclusive_scan(group, value, op);
  return op(details::update_by_last(group, at, sum, op), sum);
}
template <typename Group, typename Atomic, typename T>
GPUTEST_CG T inclusive_scan_update(const Group& group, Atomic& at, T value) {
  return inclusive_scan_update(group, at, value, plus<T>());
}
template <typename Group, typename Atomic, typename T, typename Op>
GPUTEST_CG T exclusive_scan_update(const Group& group, Atomic& at, T value, Op&& op) {
  const T sum = inclusive_scan(group, value, op), before = group.shfl_up(sum, 1);
  const T old = details::update_by_last(group, at, sum, op);
  return group.thread_rank() == 0 ? old : op(old, before);
}
template <typename Group, typename Atomic, typename T>
GPUTEST_CG T exclusive_scan_update(const Group& group, Atomic& at, T value) {
  return exclusive_scan_update(group, at, value, plus<T>());
}

// All threads of a group copy. The copy is done when the group waits.
template <typename Group, typename T, typename Size>
GPUTEST_CG void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  __gputest_copy(to, from, bytes, group.thread_rank(), group.size());
  gputest_async_commit();
}
template <typename Group, typename T, typename Size>
GPUTEST_CG void memcpy_async(const Group& group, T* to, const Size& room, const T* from,
                             const Size& elements) {
  const size_t count = (size_t)room < (size_t)elements ? (size_t)room : (size_t)elements;
  __gputest_copy(to, from, count * sizeof(T), group.thread_rank(), group.size());
  gputest_async_commit();
}
template <typename Group> GPUTEST_CG void wait(const Group& group) {
  gputest_async_wait(0);
  group.sync();
}
template <unsigned Prior, typename Group> GPUTEST_CG void wait_prior(const Group& group) {
  gputest_async_wait(Prior);
  group.sync();
}

} // namespace __v1
} // namespace cooperative_groups

#endif
