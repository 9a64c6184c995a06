// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/pointer_uses.h"

namespace gputest::frontend {
namespace {

using model::SpirvInstruction;
namespace spirv = model::spirv;

// OpenCL Extended Instruction Set Specification: those that read or write where they are told.
enum Builtin : std::uint32_t {
  vloadn = 171,
  vstoren = 172,
  vload_half = 173,
  vload_halfn = 174,
  vstore_half = 175,
  vloada_halfn = 179,
  vstorea_halfn_r = 181,
  prefetch = 182
};

} // namespace

PointerUses::PointerUses(const model::SpirvModule& module) : module_(module) {
  std::uint32_t function = 0;
  for (const SpirvInstruction& instruction : module.instructions()) {
    if (instruction.op == spirv::Function && instruction.operands.size() >= 2)
      function = instruction.operands[1];
    else if (instruction.op == spirv::FunctionParameter && instruction.operands.size() >= 2)
      parameters_[function].push_back(instruction.operands[1]);
    else if (instruction.op == spirv::Variable && instruction.operands.size() >= 3 &&
             instruction.operands[2] == spirv::Local)
      variables_.insert(instruction.operands[1]);
    if (function != 0)
      code_.push_back(&instruction);
    if (instruction.op == spirv::FunctionEnd)
      function = 0;
  }
}

void PointerUses::follow(const SpirvInstruction& instruction, std::set<std::uint32_t>& same,
                         std::set<std::uint32_t>& keepers, PointerUse& use) const {
  const std::span<const std::uint32_t> words = instruction.operands;
  const auto is = [&](std::size_t index) {
    return index < words.size() && same.contains(words[index]);
  };
  const auto any = [&](std::size_t from) {
    for (std::size_t i = from; i < words.size(); ++i)
      if (is(i))
        return true;
    return false;
  };
  switch (instruction.op) {
  case spirv::FunctionParameter:
  case spirv::Function:
  case spirv::Line:
  case spirv::VectorShuffle: // these have numbers that are no names
  case spirv::CompositeExtract:
  case spirv::CompositeInsert:
  case spirv::LoopMerge:
  case spirv::BranchConditional:
  case spirv::Switch:
    return;
  case spirv::AccessChain:
  case spirv::InBoundsAccessChain:
  case spirv::PtrAccessChain:
  case spirv::InBoundsPtrAccessChain:
  case spirv::CopyObject:
  case spirv::PtrCastToGeneric:
  case spirv::GenericCastToPtr:
  case spirv::Bitcast:
    if (is(2))
      same.insert(words[1]);
    return;
  case spirv::Phi:
  case spirv::Select:
    if (any(2))
      same.insert(words[1]);
    return;
  case spirv::Load:
    if (words.size() > 2 && keepers.contains(words[2]))
      same.insert(words[1]);
    use.reads |= is(2);
    return;
  case spirv::AtomicLoad:
    use.reads |= is(2);
    return;
  case spirv::Store:
    use.writes |= is(0);
    if (!is(1))
      return;
    if (variables_.contains(words[0]))
      keepers.insert(words[0]);
    else
      break;
    return;
  case spirv::AtomicStore:
    use.writes |= is(0);
    return;
  case spirv::CopyMemory:
  case spirv::CopyMemorySized:
    use.writes |= is(0);
    use.reads |= is(1);
    return;
  case spirv::FunctionCall:
    if (const auto called = words.size() > 2 ? parameters_.find(words[2]) : parameters_.end();
        called != parameters_.end()) {
      for (std::size_t i = 3; i < words.size(); ++i)
        if (is(i) && i - 3 < called->second.size())
          same.insert(called->second[i - 3]);
      return;
    }
    break;
  case spirv::ExtInst:
    if (words.size() < 4 || !any(4))
      return;
    if (const auto set = module_.imported("OpenCL.std"); set != words[2])
      return; // debug information
    if (words[3] == prefetch)
      return;
    if (words[3] == vloadn || words[3] == vload_half || words[3] == vload_halfn ||
        words[3] == vloada_halfn) {
      use.reads = true;
      return;
    }
    if (words[3] >= vstoren && words[3] <= vstorea_halfn_r) {
      use.writes = true;
      return;
    }
    break;
  default:
    break;
  }
  if (any(0))
    use.reads = use.writes = true;
}

PointerUse PointerUses::of(std::uint32_t pointer) const {
  PointerUse use;
  std::set<std::uint32_t> same{pointer}, keepers;
  for (std::size_t before = 0; before != same.size() + keepers.size();) {
    before = same.size() + keepers.size();
    for (const SpirvInstruction* const instruction : code_)
      follow(*instruction, same, keepers, use);
  }
  return use;
}

} // namespace gputest::frontend
