// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/race_asyncs.h"

#include <algorithm>

namespace gputest::simulator {

void AsyncCopies::clear() {
  *this = {};
}

void AsyncCopies::enclose(const std::byte* begin, std::uint64_t size) {
  span_.begin = span_.begin ? std::min(span_.begin, begin) : begin;
  span_.end = std::max(span_.end, begin + size);
}

void AsyncCopies::begin(const One& copy) {
  std::list<One>& mine = copies_[copy.item];
  mine.push_back(copy);
  One& added = mine.back();
  if (added.key == 0)
    added.stage = next_stages_[added.item];
  written_.emplace(added.to, &added);
  read_.emplace(added.from, &added);
  ++count_;
  largest_ = std::max(largest_, added.size);
  enclose(added.to, added.size);
  enclose(added.from, added.size);
}

void AsyncCopies::commit(std::uint64_t item) {
  ++next_stages_[item];
}

std::vector<AsyncCopies::One> AsyncCopies::wait(std::uint64_t item, std::uint64_t prior) {
  std::vector<One> complete;
  const std::uint64_t next = next_stages_[item];
  copies_[item].remove_if([&](const One& copy) {
    if (copy.key != 0 || copy.stage + prior >= next)
      return false;
    complete.push_back(copy);
    remove(copy);
    return true;
  });
  return complete;
}

void AsyncCopies::bind(std::uint64_t item, std::uint64_t key, std::uint64_t stage) {
  for (One& copy : copies_[item])
    if (copy.key == 0) {
      copy.key = key;
      copy.stage = stage;
    }
}

void AsyncCopies::complete(std::uint64_t key, std::uint64_t stage) {
  for (auto& [item, copies] : copies_)
    copies.remove_if([&](const One& copy) {
      if (copy.key != key || copy.stage >= stage)
        return false;
      remove(copy);
      return true;
    });
}

void AsyncCopies::forget(Ranges& ranges, const std::byte* begin, const One* copy) {
  const auto [first, last] = ranges.equal_range(begin);
  const auto found = std::find_if(first, last, [&](const auto& one) { return one.second == copy; });
  if (found != last)
    ranges.erase(found);
}

void AsyncCopies::remove(const One& copy) {
  forget(written_, copy.to, &copy);
  forget(read_, copy.from, &copy);
  if (--count_ == 0) {
    span_ = {};
    largest_ = 0;
  }
}

template <typename Visit>
void AsyncCopies::each_at(const Ranges& ranges, const std::byte* at, std::uint64_t size,
                          Visit visit) const {
  for (auto next = ranges.upper_bound(at - largest_); next != ranges.end(); ++next) {
    if (next->first >= at + size)
      return;
    if (next->first + next->second->size > at)
      visit(*next->second);
  }
}

std::vector<AsyncCopies::Meeting> AsyncCopies::in_conflict(const std::byte* at, std::uint64_t size,
                                                           bool write) const {
  std::vector<Meeting> found;
  each_at(written_, at, size, [&](const One& copy) { found.push_back({&copy, true}); });
  if (write)
    each_at(read_, at, size, [&](const One& copy) { found.push_back({&copy, false}); });
  return found;
}

} // namespace gputest::simulator
