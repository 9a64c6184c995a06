// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies of a work-group that have begun and not been waited for by all work-items.
#pragma once

#include "simulator/checks/check.h"

#include <vector>

namespace gputest::simulator {

class CopiesUnderWay {
public:
  struct One {
    Copy copy;
    unsigned site;
    std::uint64_t event;
    std::vector<bool> waits; // by work-item
    std::uint64_t waited;    // how many work-items have waited
  };

  bool empty() const { return copies_.empty(); }
  void clear() { copies_.clear(); }
  void begin(const Copy& copy, unsigned site, std::uint64_t event, std::uint64_t items);
  // The work-item has waited for the event. A copy is removed when all have.
  void end(std::uint64_t event, std::uint64_t item);

  struct Meeting {
    const One* other;
    bool written; // false: it reads there
  };
  // Returns copies that conflict with an access of the work-item, and that it has not waited for.
  std::vector<Meeting> in_conflict(const std::byte* at, std::uint64_t size, bool write,
                                   std::uint64_t item) const;

  // A range that contains all memory of the copies; null: there are none.
  struct Span {
    const std::byte *begin = nullptr, *end = nullptr;
  };
  Span span() const;

private:
  std::vector<One> copies_;
};

} // namespace gputest::simulator
