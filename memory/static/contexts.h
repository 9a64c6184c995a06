// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual unrolling: a context is a block with, for each loop around it, whether the iteration is
// the first or a later one.
#pragma once

#include "memory/static/evaluate.h"
#include "memory/static/kernel.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::memory {

class Contexts {
public:
  explicit Contexts(const StaticKernel& kernel);

  std::vector<LoopContext> all;
  std::vector<std::vector<std::uint32_t>> successors; // by context, in the order of the block's
                                                      // successors

private:
  std::uint64_t told_apart(std::uint32_t block) const;
  std::uint64_t later_in(const LoopContext& from, std::uint32_t next) const;
  std::uint32_t number(std::uint32_t block, std::uint64_t later) const;

  const StaticKernel& kernel_;
  std::vector<std::size_t> first_; // the first context of each block
};

} // namespace gputest::memory
