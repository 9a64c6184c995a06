// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/static/kernel.h"

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

} // namespace gputest::memory
