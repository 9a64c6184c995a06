// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/static/contexts.h"

namespace gputest::memory {
namespace {

constexpr unsigned kMostToldApart = 5; // the most nested loops that are distinguished

} // namespace

Contexts::Contexts(const StaticKernel& kernel) : kernel_(kernel), first_(kernel.blocks.size()) {
  for (std::uint32_t block = 0; block < kernel.blocks.size(); ++block) {
    first_[block] = all.size();
    const std::uint64_t inside = told_apart(block);
    std::uint64_t later = 0;
    do { // all subsets of `inside`
      all.push_back({.block = block, .inside = inside, .later = later});
      later = (later - inside) & inside;
    } while (later != 0);
  }
  for (const LoopContext& context : all) {
    successors.emplace_back();
    for (const std::uint32_t next : kernel.blocks[context.block].successors)
      successors.back().push_back(number(next, later_in(context, next)));
  }
}

std::uint64_t Contexts::told_apart(std::uint32_t block) const {
  std::uint64_t loops = 0;
  for (std::uint32_t loop = kernel_.blocks[block].loop; loop != kNoNumber;
       loop = kernel_.loops[loop].parent)
    if (kernel_.loops[loop].depth <= kMostToldApart)
      loops |= std::uint64_t{1} << loop;
  return loops;
}

std::uint64_t Contexts::later_in(const LoopContext& from, std::uint32_t next) const {
  const std::uint64_t inside = told_apart(next);
  const std::uint64_t later = from.later & inside;
  const std::uint32_t header = kernel_.blocks[next].header_of;
  if (header == kNoNumber || (inside >> header & 1) == 0)
    return later;
  const std::uint64_t bit = std::uint64_t{1} << header;
  return (from.inside & bit) != 0 ? later | bit : later & ~bit;
}

std::uint32_t Contexts::number(std::uint32_t block, std::uint64_t later) const {
  std::uint32_t index = static_cast<std::uint32_t>(first_[block]);
  while (all[index].later != later)
    ++index;
  return index;
}

} // namespace gputest::memory
