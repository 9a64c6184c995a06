// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of numbers beyond those that LLVM finds.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

namespace gputest::simulator {

// What is compared in a loop for the loop to be repeated.
struct Repeated {
  // The number that the iteration which would follow has, as a recurrence of the loop, one
  // iteration earlier: the number of the iteration itself.
  const llvm::SCEV* current;
  const llvm::SCEV* limit;
  llvm::CmpInst::Predicate predicate;
  // An iteration compares its own number before the next begins, whose number is one step beyond
  // the limit at most. No expression has that sum, which may wrap.
  bool at_begin = false;
};

// visit() replaces numbers that LLVM does not see as recurrences: `int i` with
// `i += get_global_size(0)` is a sum of 64 bits in each iteration, of which 32 bits go on. And
// those that have been computed on several ways, by the same expression on each; and loads of one
// word that never changes are one number.
class LoopCounts : public llvm::SCEVRewriteVisitor<LoopCounts> {
public:
  LoopCounts(llvm::ScalarEvolution& evolution, llvm::LoopInfo& loops)
      : SCEVRewriteVisitor(evolution), loops_(loops) {}

  // nullopt: neither its last branch, nor its first one where the last is no choice, compares such
  // a number with one that is the same throughout.
  std::optional<Repeated> repeated_while(const llvm::Loop& loop);

  const llvm::SCEV* visitTruncateExpr(const llvm::SCEVTruncateExpr* expression);
  const llvm::SCEV* visitUnknown(const llvm::SCEVUnknown* expression);

private:
  std::optional<Repeated> compared_at(const llvm::Loop& loop, const llvm::BasicBlock& block);
  const llvm::SCEV* recurrence_of(const llvm::SCEVTruncateExpr& expression);

  const llvm::SCEV* shifted(const llvm::BinaryOperator& shift);
  const llvm::SCEV* first_load_of(const llvm::LoadInst& load, const llvm::SCEV* expression);

  llvm::LoopInfo& loops_;
  using Word = std::tuple<const llvm::Value*, std::int64_t, const llvm::Type*>; // base, offset
  std::map<Word, const llvm::SCEV*> loads_;
  llvm::SmallPtrSet<const llvm::PHINode*, 8> joining_; // being visited
};

} // namespace gputest::simulator
