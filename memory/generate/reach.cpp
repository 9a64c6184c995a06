// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/reach.h"

#include <set>

namespace gputest::memory {
namespace {

// Finds what is reachable from `begin` without passing `but`.
std::vector<bool> reached(const StaticKernel& kernel, std::uint32_t begin, std::uint32_t but) {
  std::vector<bool> seen(kernel.blocks.size());
  std::vector<std::uint32_t> work;
  if (begin != but)
    work.push_back(begin);
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    if (seen[block])
      continue;
    seen[block] = true;
    for (const std::uint32_t next : kernel.blocks[block].successors)
      if (next != but)
        work.push_back(next);
  }
  return seen;
}

} // namespace

Reach::Reach(const StaticKernel& kernel, const StaticReport& known) {
  for (std::uint32_t number = 0; number < kernel.blocks.size(); ++number) {
    const StaticBlock& block = kernel.blocks[number];
    if (block.line == 0 || block.successors.size() != 2)
      continue;
    const std::vector<bool> sides[2]{reached(kernel, block.successors[1], number),
                                     reached(kernel, block.successors[0], number)};
    for (const bool way : {false, true}) {
      std::set<std::uint32_t> references;
      for (std::uint32_t other = 0; other < kernel.blocks.size(); ++other)
        if (sides[way][other] && !sides[!way][other])
          for (const StaticStep& step : kernel.blocks[other].steps)
            if (step.kind == StaticStep::Kind::Access)
              references.insert(step.reference);
      Promise& promise = promises_[{block.file, block.line, block.column, way}];
      for (const std::uint32_t reference : references) {
        promise.conflicts += known.faces_conflict[reference];
        promise.misses += known.of_all(reference) != Certainty::AlwaysHit;
      }
    }
  }
}

Promise Reach::of(const std::string& file, unsigned line, unsigned column, bool way) const {
  const auto found = promises_.find({file, line, column, way});
  return found == promises_.end() ? Promise{} : found->second;
}

} // namespace gputest::memory
