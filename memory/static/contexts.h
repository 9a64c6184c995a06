// The blocks of a program, once for each way in which the loops around them are in their first or
// in a later iteration (virtual unrolling).
#pragma once

#include "memory/static/evaluate.h"
#include "memory/static/program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::memory {

class Contexts {
public:
  explicit Contexts(const StaticProgram& program);

  std::vector<LoopContext> all;
  std::vector<std::vector<std::uint32_t>> successors; // of each, as its block has them

private:
  std::uint64_t told_apart(std::uint32_t block) const;
  std::uint64_t later_in(const LoopContext& from, std::uint32_t next) const;
  std::uint32_t number(std::uint32_t block, std::uint64_t later) const;

  const StaticProgram& program_;
  std::vector<std::size_t> first_; // of each block
};

} // namespace gputest::memory
