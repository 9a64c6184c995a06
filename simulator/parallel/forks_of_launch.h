// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch whose work-groups may run in forks of this process: whether they may, and what comes
// together at the end, besides buffers: findings, in the order of the groups, and which bytes of
// buffers are initialized.
#pragma once

#include "simulator/checks/monitor.h"
#include "simulator/parallel/initialized.h"
#include "simulator/parallel/separate.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gputest::simulator {

class ForksOfLaunch {
public:
  // All references outlive this object. `checks`: those of the kernel's code.
  ForksOfLaunch(const Monitor& monitor, const Checks& checks, const ir::KernelShape& shape,
                const gputest_context& context)
      : monitor_(monitor), checks_(checks), shape_(shape), context_(context) {}

  // To be called after each group of this process, with its place in the launch's order.
  void note(std::size_t group);

  // Returns how many processes may run the groups (processes_for()). They begin after this.
  unsigned processes(const std::function<const std::optional<GroupAccesses>&()>& accesses,
                     std::span<const std::byte> arguments,
                     const std::function<ObjectPlaces()>& places);

  // In a fork, at its end: what it has seen. And here, with that, when all forks have ended.
  std::string text();
  void add(const std::string& text_of_fork);

  // Each finding once, where the first group has seen it.
  std::vector<Finding> findings() const;
  std::vector<Finding> notes() const;

private:
  // Groups by the findings of this process, and findings of forks with their groups.
  struct Kind {
    std::vector<std::size_t> groups{};
    std::vector<std::uint64_t> counts{}; // of the findings before there were forks
    std::vector<std::pair<std::size_t, KeyedFinding>> others{};
  };
  std::vector<KeyedFinding> own_notes() const;
  static std::vector<KeyedFinding> merged(const Kind& kind, std::vector<KeyedFinding> own);

  const Monitor& monitor_;
  const Checks& checks_;
  const ir::KernelShape& shape_;
  const gputest_context& context_;
  Kind findings_, notes_;
  std::optional<Initialized> initialized_; // with forks
};

} // namespace gputest::simulator
