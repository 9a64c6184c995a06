// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/debug_names.h"

namespace gputest::frontend {
namespace {

using model::SpirvInstruction;

// OpenCL Extended Instruction Set for Debug Information, version 2.
enum Entry : std::uint32_t {
  TypeBasic = 2,
  TypePointer = 3,
  TypeQualifier = 4,
  TypeArray = 5,
  TypeVector = 6,
  Typedef = 7,
  TypeComposite = 10,
  TypeMember = 11,
  Function = 20,
  LocalVariable = 26,
  Source = 35
};

constexpr std::uint32_t kUnsigned = 6, kUnsignedChar = 7; // encodings

// Operands of OpExtInst in front of those of the entry: type, result, set, entry.
constexpr std::size_t kFirst = 4;

// The operand of an entry; 0, which is no number of anything, where it is absent.
std::uint32_t operand(const SpirvInstruction& entry, std::size_t index) {
  return entry.operands.size() > kFirst + index ? entry.operands[kFirst + index] : 0;
}

std::uint32_t kind(const SpirvInstruction& entry) {
  return entry.operands[3];
}

constexpr int kMostSteps = 32; // from a type to what it is made of

} // namespace

DebugNames::DebugNames(const model::SpirvModule& module) : module_(module) {
  const std::optional<std::uint32_t> set = module.imported("OpenCL.DebugInfo.100");
  if (!set)
    return;
  for (const SpirvInstruction& instruction : module.instructions())
    if (instruction.op == model::spirv::ExtInst && instruction.operands.size() >= kFirst &&
        instruction.operands[2] == *set)
      entries_[instruction.operands[1]] = &instruction;
  for (const auto& [id, entry] : entries_)
    if (kind(*entry) == Function && operand(*entry, 9) != 0)
      functions_[operand(*entry, 9)] = id;
  for (const auto& [id, entry] : entries_)
    if (kind(*entry) == LocalVariable && operand(*entry, 7) != 0)
      parameters_[{operand(*entry, 5), operand(*entry, 7) - 1}] = {
          module.string(operand(*entry, 0)).value_or(""), operand(*entry, 1)};
}

std::optional<DebugPlace> DebugNames::place_of(std::uint32_t function) const {
  const auto found = functions_.find(function);
  if (found == functions_.end())
    return std::nullopt;
  const SpirvInstruction& entry = *entries_.at(found->second);
  const auto source = entries_.find(operand(entry, 2));
  if (source == entries_.end() || kind(*source->second) != Source)
    return std::nullopt;
  const std::optional<std::string> file = module_.string(operand(*source->second, 0));
  return file ? std::optional(DebugPlace{*file, operand(entry, 3)}) : std::nullopt;
}

const DebugParameter* DebugNames::parameter(std::uint32_t function, std::size_t number) const {
  const auto of = functions_.find(function);
  if (of == functions_.end())
    return nullptr;
  const auto found = parameters_.find({of->second, number});
  return found == parameters_.end() ? nullptr : &found->second;
}

const SpirvInstruction* DebugNames::bare(std::uint32_t type) const {
  for (int step = 0; step < kMostSteps; ++step) {
    const auto found = entries_.find(type);
    if (found == entries_.end())
      return nullptr;
    switch (kind(*found->second)) {
    case TypePointer:
    case TypeQualifier:
    case TypeArray:
    case TypeVector:
      type = operand(*found->second, 0);
      break;
    case Typedef:
    case TypeMember:
      type = operand(*found->second, 1);
      break;
    default:
      return found->second;
    }
  }
  return nullptr;
}

bool DebugNames::is_unsigned(std::uint32_t type) const {
  const SpirvInstruction* const entry = bare(type);
  return entry && kind(*entry) == TypeBasic &&
         (operand(*entry, 2) == kUnsigned || operand(*entry, 2) == kUnsignedChar);
}

std::optional<std::uint32_t> DebugNames::member(std::uint32_t type, std::size_t number) const {
  constexpr std::size_t kMembers = 9;
  const SpirvInstruction* const entry = bare(type);
  if (!entry || kind(*entry) != TypeComposite)
    return std::nullopt;
  const std::uint32_t found = operand(*entry, kMembers + number);
  return found == 0 ? std::nullopt : std::optional(found);
}

std::string DebugNames::name_of_member(std::uint32_t member) const {
  const auto found = entries_.find(member);
  return found == entries_.end() ? "" : module_.string(operand(*found->second, 0)).value_or("");
}

} // namespace gputest::frontend
