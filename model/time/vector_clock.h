// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector clocks: which work happens before which other work. Work that is ordered one after the
// other shares a chain. A clock says for each chain how much of its work is done.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gputest::model {

using VectorClock = std::vector<std::uint64_t>;

inline void join(VectorClock& into, const VectorClock& other) {
  into.resize(std::max(into.size(), other.size()));
  for (std::size_t i = 0; i < other.size(); ++i)
    into[i] = std::max(into[i], other[i]);
}

// One piece of work.
struct ClockedWork {
  std::size_t chain = 0;
  std::uint64_t number = 0; // in its chain, from 1 on
  VectorClock done{};       // when it has ended: what is before it, and itself

  bool is_before(const VectorClock& clock) const {
    return chain < clock.size() && clock[chain] >= number;
  }
};

class WorkChains {
public:
  // Puts work after `before`: into the wanted chain if its last work is before this one, or into
  // another such chain, or into a new one.
  void append(ClockedWork& work, VectorClock before, std::size_t wanted) {
    before.resize(std::max(before.size(), last_.size()));
    const auto is_free = [&](std::size_t one) { return before[one] == last_[one]; };
    if (wanted >= last_.size() || !is_free(wanted))
      for (wanted = 0; wanted < last_.size() && !is_free(wanted);)
        ++wanted;
    if (wanted == last_.size()) {
      last_.push_back(0);
      before.push_back(0);
    }
    work.chain = wanted;
    work.number = before[wanted] = ++last_[wanted];
    work.done = std::move(before);
  }
  // Whether all work is done.
  bool all_in(const VectorClock& clock) const {
    return clock.size() >= last_.size() && std::ranges::equal(last_, clock);
  }

private:
  std::vector<std::uint64_t> last_; // of each chain
};

} // namespace gputest::model
