// A text of optimised code that does not depend on the order and the place of what has no effect.
#pragma once

#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <unordered_map>

namespace gputest::passes::mutation {

// Texts of functions. Two that one CanonicalCode made are equal only where both functions do the
// same: the same blocks, each with the same effects (stores, calls, barriers, volatile accesses) in
// the same order and the same end, of operands that are the same expressions.
//
// An expression is what it computes from which operands, so the place where that happens does not
// matter; a load is one of its address and of what was stored before. Names, debug information and
// hints for optimisation are left out; types, flags, attributes, alignments and metadata that
// instructions must keep are part of the text.
class CanonicalCode {
public:
  // The text of all that `module` defines, in its order. Nothing where the module has an
  // instruction that is not known here: then it must count as different from all others.
  std::optional<std::string> text(const llvm::Module& module);

private:
  class Function;
  using Id = unsigned;
  Id id(const std::string& key); // equal for equal keys, and only for these

  std::unordered_map<std::string, Id> ids_;
};

} // namespace gputest::passes::mutation
