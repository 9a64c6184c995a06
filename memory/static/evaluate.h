// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates the expressions of a kernel for one work-item of a launch.
#pragma once

#include "memory/static/kernel.h"

#include <array>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gputest::memory {

// A block and, for each loop around it, whether the iteration is the first or a later one (loops
// are virtually unrolled once).
struct LoopContext {
  std::uint32_t block = 0;
  std::uint64_t inside = 0; // a bit for each loop around the block that is distinguished
  std::uint64_t later = 0;  // the loops of `inside` in a later iteration
};

class Evaluator {
public:
  // `contexts`: the number of contexts.
  Evaluator(const StaticKernel& kernel, std::vector<std::byte> arguments, std::size_t contexts);

  void begin_item(const std::array<std::uint64_t, LaunchWords>& launch,
                  const std::array<std::uint64_t, 3>& local_id);

  // Returns the node's possible values. `number`: the context's number.
  ValueSet value(NodeId node, const LoopContext& context, std::size_t number);

  // Whether the loops have such iterations.
  bool exists(const LoopContext& context, std::size_t number);

private:
  struct Known {
    std::uint64_t item = 0; // the work-item that it was computed for
    ValueSet value = ValueSet::any();
  };
  ValueSet evaluate(NodeId id);
  ValueSet compute(const Node& node, NodeId id);
  ValueSet argument(const Node& node) const;
  ValueSet iterations(std::uint32_t loop);
  std::optional<std::uint64_t> last_iteration(std::uint32_t loop); // kNever: the loop has no
                                                                   // iteration
  ValueSet all_of_recurrence(const Node& node, NodeId id);
  // Returns the next values of a recurrence whose present values are `assumed`.
  ValueSet under(const Node& node, NodeId id, const ValueSet& assumed);

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  const StaticKernel& kernel_;
  std::vector<std::byte> arguments_;
  std::array<std::uint64_t, LaunchWords> launch_{};
  std::array<std::uint64_t, 3> local_id_{};
  std::uint64_t item_ = 0;
  std::vector<std::vector<Known>> known_; // by context; the last entry is for nodes that depend on
                                          // no loop
  const LoopContext* context_ = nullptr;
  std::size_t number_ = 0;

  // While a recurrence is evaluated: its assumed values, and the loops whose iteration may be any.
  std::unordered_map<NodeId, ValueSet> assumed_;
  std::uint64_t open_ = 0;
  std::unordered_map<NodeId, ValueSet> scratch_; // values under these assumptions
  unsigned depth_ = 0;
};

} // namespace gputest::memory
