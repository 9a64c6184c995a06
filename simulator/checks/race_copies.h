// Async copies of a work-group between their beginning and their wait.
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
    std::uint64_t waited;    // how many
  };

  bool empty() const { return copies_.empty(); }
  void clear() { copies_.clear(); }
  void begin(const Copy& copy, unsigned site, std::uint64_t event, std::uint64_t items);
  // The work-item has waited for it. Once all have, it is under way no more.
  void end(std::uint64_t event, std::uint64_t item);

  struct Meeting {
    const One* other;
    bool written; // else it reads there
  };
  // Those that the work-item has not waited for, and that conflict with its access.
  std::vector<Meeting> in_conflict(const std::byte* at, std::uint64_t size, bool write,
                                   std::uint64_t item) const;

  // All that they read or write is in between; null: there are none.
  struct Span {
    const std::byte *begin = nullptr, *end = nullptr;
  };
  Span span() const;

private:
  std::vector<One> copies_;
};

} // namespace gputest::simulator
