// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/static/kernel.h"

#include <algorithm>

namespace gputest::memory {

void StaticKernel::finish() {
  for (Node& node : nodes)
    if (node.kind == Node::Kind::Iteration || node.kind == Node::Kind::Recurrence)
      // Outer loops, too: how often an inner one runs may depend on them.
      for (auto loop = static_cast<std::uint32_t>(node.value); loop != kNoNumber;
           loop = loops[loop].parent)
        node.loops |= std::uint64_t{1} << loop;
  for (bool changed = true; changed;) { // recurrences are cycles
    changed = false;
    for (Node& node : nodes)
      for (const NodeId operand : node.operands) {
        const Node& other = nodes[operand];
        if ((other.loops & ~node.loops) != 0) {
          node.loops |= other.loops;
          changed = true;
        }
      }
  }
}

std::vector<bool> StaticKernel::chosen_by_data(std::size_t references) const {
  std::vector<bool> by_data(nodes.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (!by_data[i] && (nodes[i].kind == Node::Kind::Unknown ||
                          std::ranges::any_of(nodes[i].operands,
                                              [&](NodeId operand) { return by_data[operand]; })))
        by_data[i] = changed = true;
  }
  std::vector<bool> chosen(references), seen(references);
  for (const StaticBlock& block : blocks)
    for (const StaticStep& step : block.steps)
      if (step.kind == StaticStep::Kind::Access) {
        chosen[step.reference] = chosen[step.reference] || by_data[step.offset];
        seen[step.reference] = true;
      }
  for (std::size_t i = 0; i < references; ++i) // of a kernel without an analysis: maybe
    chosen[i] = chosen[i] || !seen[i];
  return chosen;
}

} // namespace gputest::memory
