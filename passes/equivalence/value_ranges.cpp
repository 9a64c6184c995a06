// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/equivalence/value_ranges.h"

#include "frontend/llvm_version.h"
#include "frontend/mangled_name.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LazyValueInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace gputest::passes {
namespace {

struct Answer {
  llvm::StringRef name;           // without mangling
  std::uint64_t least = 0, above; // the first that it never is; 0: none
};
constexpr std::uint64_t kMost = 0x80000000;
constexpr std::uint64_t kThreads = 1024; // of a block of CUDA, at most
const Answer kAnswers[] = {{"get_work_dim", 1, 4},
                           {"get_local_id", 0, kMost},
                           {"get_local_size", 1, kMost},
                           {"get_enqueued_local_size", 1, kMost},
                           {"get_local_linear_id", 0, kMost},
                           {"get_num_groups", 1, 0},
                           {"get_global_size", 1, 0},
                           {"get_image_width", 1, kMost},
                           {"get_image_height", 1, kMost},
                           {"get_image_depth", 1, kMost},
                           {"llvm.nvvm.read.ptx.sreg.tid.x", 0, kThreads},
                           {"llvm.nvvm.read.ptx.sreg.tid.y", 0, kThreads},
                           {"llvm.nvvm.read.ptx.sreg.tid.z", 0, kThreads},
                           {"llvm.nvvm.read.ptx.sreg.ntid.x", 1, kThreads + 1},
                           {"llvm.nvvm.read.ptx.sreg.ntid.y", 1, kThreads + 1},
                           {"llvm.nvvm.read.ptx.sreg.ntid.z", 1, kThreads + 1},
                           {"llvm.nvvm.read.ptx.sreg.ctaid.x", 0, kMost - 1},
                           {"llvm.nvvm.read.ptx.sreg.ctaid.y", 0, kMost - 1},
                           {"llvm.nvvm.read.ptx.sreg.ctaid.z", 0, kMost - 1},
                           {"llvm.nvvm.read.ptx.sreg.nctaid.x", 1, kMost},
                           {"llvm.nvvm.read.ptx.sreg.nctaid.y", 1, kMost},
                           {"llvm.nvvm.read.ptx.sreg.nctaid.z", 1, kMost},
                           {"llvm.nvvm.read.ptx.sreg.laneid", 0, 32}};

// "_Z12get_local_idj" is get_local_id.
llvm::StringRef unmangled(llvm::StringRef name) {
  const frontend::MangledName parts = frontend::parts_of_mangled(name);
  return parts.name.empty() ? name : parts.name;
}

using Predicate = llvm::CmpInst::Predicate;

class Comparisons {
public:
  Comparisons(llvm::LazyValueInfo& values, llvm::ScalarEvolution& loops)
      : values_(values), loops_(loops) {}

  // The preferred predicate with the same result; nullopt if it is `compare`'s own.
  std::optional<Predicate> better(llvm::ICmpInst& compare) {
    const Predicate own = compare.getPredicate();
    if (compare.isEquality() || !compare.getOperand(0)->getType()->isIntegerTy())
      return std::nullopt;
    const bool is_less = own == Predicate::ICMP_SLT || own == Predicate::ICMP_ULT ||
                         own == Predicate::ICMP_SLE || own == Predicate::ICMP_ULE;
    const bool is_strict = llvm::CmpInst::isStrictPredicate(own);
    const bool is_signed = compare.isSigned();
    const Predicate at_most = is_signed ? Predicate::ICMP_SLE : Predicate::ICMP_ULE;
    const Predicate at_least = is_signed ? Predicate::ICMP_SGE : Predicate::ICMP_UGE;
    // a < b, and a is never above b: a != b. a <= b, and a is never below b: a == b.
    if (always(compare, is_less == is_strict ? at_most : at_least))
      return is_strict ? Predicate::ICMP_NE : Predicate::ICMP_EQ;
    if (is_signed && is_never_negative(compare, 0) && is_never_negative(compare, 1))
      return llvm::ICmpInst::getUnsignedPredicate(own);
    return std::nullopt;
  }

private:
  llvm::ConstantRange range(llvm::ICmpInst& compare, unsigned operand) {
    return values_.getConstantRange(compare.getOperand(operand), &compare, /*UndefAllowed=*/false);
  }

  bool always(llvm::ICmpInst& compare, Predicate predicate) {
    if (range(compare, 0).icmp(predicate, range(compare, 1)))
      return true;
    return loops_.isKnownPredicateAt(predicate, loops_.getSCEV(compare.getOperand(0)),
                                     loops_.getSCEV(compare.getOperand(1)), &compare) ||
           (compare.getPredicate() == llvm::CmpInst::getStrictPredicate(predicate) &&
            leads_there(compare, predicate));
  }

  // Whether the loop with the head `compare` continues as long as a number is strictly below (or
  // above) a bound, then moves it by one, and did not begin beyond the bound. So the number never
  // gets beyond the bound.
  bool leads_there(llvm::ICmpInst& compare, Predicate predicate) {
    const auto* steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(loops_.getSCEV(compare.getOperand(0)));
    if (!steps || !steps->isAffine())
      return false;
    const llvm::Loop& loop = *steps->getLoop();
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(steps->getStepRecurrence(loops_));
    const bool is_up = predicate == Predicate::ICMP_SLE || predicate == Predicate::ICMP_ULE;
    const auto* leave = llvm::dyn_cast<llvm::BranchInst>(loop.getHeader()->getTerminator());
    if (!step || !(is_up ? step->getAPInt().isOne() : step->getAPInt().isAllOnes()) ||
        compare.getParent() != loop.getHeader() || !leave || !leave->isConditional() ||
        leave->getCondition() != &compare || loop.contains(leave->getSuccessor(1)) ||
        !is_steady(*compare.getOperand(1), loop))
      return false;
    const llvm::SCEV* bound = loops_.getSCEV(compare.getOperand(1));
    return loops_.isKnownPredicate(predicate, steps->getStart(), bound) ||
           (loops_.isLoopInvariant(bound, &loop) &&
            loops_.isLoopEntryGuardedByCond(&loop, predicate, steps->getStart(), bound));
  }

  // Whether `value` is the same in each iteration.
  static bool is_steady(const llvm::Value& value, const llvm::Loop& loop) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !loop.contains(instruction))
      return true;
    return !llvm::isa<llvm::PHINode>(instruction) && !instruction->mayReadOrWriteMemory() &&
           !instruction->mayHaveSideEffects() &&
           std::ranges::all_of(instruction->operands(),
                               [&](const llvm::Use& operand) { return is_steady(*operand, loop); });
  }

  bool is_never_negative(llvm::ICmpInst& compare, unsigned operand) {
    return range(compare, operand).isAllNonNegative() ||
           loops_.isKnownNonNegative(loops_.getSCEV(compare.getOperand(operand)));
  }

  llvm::LazyValueInfo& values_;
  llvm::ScalarEvolution& loops_;
};

} // namespace

void add_ranges(llvm::Module& module) {
  for (llvm::Function& function : module) {
    const auto* const answer =
        std::ranges::find(kAnswers, unmangled(function.getName()), &Answer::name);
    const auto* type = llvm::dyn_cast<llvm::IntegerType>(function.getReturnType());
    if (!function.isDeclaration() || answer == std::end(kAnswers) || !type)
      continue;
    const unsigned width = type->getBitWidth();
    llvm::MDNode* const range =
        llvm::MDBuilder(module.getContext())
            .createRange(llvm::APInt(width, answer->least), llvm::APInt(width, answer->above));
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->getCalledFunction() == &function)
        call->setMetadata(llvm::LLVMContext::MD_range, range);
  }
}

llvm::PreservedAnalyses UniformComparisons::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& analyses) {
  Comparisons comparisons(analyses.getResult<llvm::LazyValueAnalysis>(function),
                          analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  // All comparisons are examined before one is changed, because an analysis may depend on another
  // comparison.
  std::vector<std::pair<llvm::ICmpInst*, Predicate>> changes;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
      if (const auto predicate = comparisons.better(*compare))
        changes.emplace_back(compare, *predicate);
  for (const auto& [compare, predicate] : changes) {
    compare->setPredicate(predicate);
    frontend::llvm_version::forget_same_sign(*compare);
  }
  return changes.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace gputest::passes
