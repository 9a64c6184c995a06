// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch without checks has found, in the order of its work-groups, when several processes
// have run them.
#pragma once

#include "simulator/checks/monitor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gputest::simulator {

class Seen {
public:
  explicit Seen(const Monitor& monitor) : monitor_(monitor) {}

  // To be called after each group of this process, with its place in the launch's order.
  void note(std::size_t group);
  // To be called before this process has forks.
  void begin_forks();

  // What this process has seen since then, for the process that it is a fork of.
  std::string text() const;
  void add(const std::string& text_of_fork);

  // Each finding once, where the first group has seen it.
  std::vector<Finding> findings() const { return merged(findings_, monitor_.findings()); }
  std::vector<Finding> notes() const { return merged(notes_, monitor_.notes()); }

private:
  // Groups by the findings of this process, and findings of forks with their groups.
  struct Kind {
    std::vector<std::size_t> groups{};
    std::vector<std::uint64_t> counts{}; // of the findings before there were forks
    std::vector<std::pair<std::size_t, Finding>> others{};
  };
  static std::vector<Finding> merged(const Kind& kind, const std::vector<Finding>& own);

  const Monitor& monitor_;
  Kind findings_, notes_;
};

} // namespace gputest::simulator
