// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of a SPIR-V module do with the memory that pointers point to.
#pragma once

#include "model/spirv/module.h"

#include <cstdint>
#include <map>
#include <set>

namespace gputest::frontend {

struct PointerUse {
  bool reads = false, writes = false;
};

// Follows a pointer through the instructions that make others of it, through variables that keep
// it, and into functions of the module. What is done to it otherwise may read and write.
class PointerUses {
public:
  explicit PointerUses(const model::SpirvModule& module);

  PointerUse of(std::uint32_t pointer) const;

private:
  void follow(const model::SpirvInstruction& instruction, std::set<std::uint32_t>& same,
              std::set<std::uint32_t>& keepers, PointerUse& use) const;

  const model::SpirvModule& module_;
  std::vector<const model::SpirvInstruction*> code_;               // in functions
  std::map<std::uint32_t, std::vector<std::uint32_t>> parameters_; // of functions
  std::set<std::uint32_t> variables_;                              // of functions
};

} // namespace gputest::frontend
