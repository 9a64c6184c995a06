// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes optimised code as a text that does not depend on the order and place of instructions
// without effects.
#pragma once

#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <unordered_map>

namespace gputest::passes {

// Makes texts of functions. Two texts of one CanonicalCode are equal only if both functions do the
// same. They then have the same blocks, and each block has the same end and the same effects in the
// same order. Effects are stores, calls, barriers and volatile accesses, with operands that are the
// same expressions.
//
// An expression is an operation with its operands, so its place does not matter. A load depends on
// its address and on earlier stores. Names, debug information and hints for optimisation are left
// out. Types, flags, attributes, alignments and metadata that instructions must keep are part of
// the text.
class CanonicalCode {
public:
  // Returns the text of all that `module` defines, in its order. nullopt if the module has an
  // unknown instruction; such a module must count as different from all others.
  std::optional<std::string> text(const llvm::Module& module);

private:
  class Function;
  using Id = unsigned;
  Id id(const std::string& key); // equal for equal keys, and only for these

  std::unordered_map<std::string, Id> ids_;
};

} // namespace gputest::passes
