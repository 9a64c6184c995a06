// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/group_accesses.h"

#include "ir/accesses.h"
#include "ir/analysis_managers.h"
#include "ir/host.h"
#include "simulator/parallel/loop_counts.h"
#include "simulator/parallel/obstacles.h"
#include "templates/simulator/context.h"

#include <algorithm>
#include <cstddef>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace gputest::simulator {
namespace {

using Kind = Term::Kind;

// Larger kernels are not worth the time: what they access is hardly ever that simple.
constexpr std::size_t kMostTerms = 4'000, kMostAccesses = 400;

// Translates LLVM's expressions to terms.
class Terms {
public:
  Terms(GroupAccesses& into, llvm::Function& item, llvm::ScalarEvolution& evolution,
        LoopCounts& counts)
      : into_(into), item_(item), evolution_(evolution), counts_(counts),
        layout_(item.getParent()->getDataLayout()) {}

  unsigned of(const llvm::SCEV* expression) {
    expression = counts_.visit(expression);
    if (const auto known = known_.find(expression); known != known_.end())
      return known->second;
    const unsigned made = make(expression);
    known_[expression] = made;
    return made;
  }

  std::vector<const llvm::Loop*> loops; // by their numbers

private:
  unsigned bits_of(const llvm::SCEV* expression) const {
    return static_cast<unsigned>(evolution_.getTypeSizeInBits(expression->getType()));
  }

  unsigned add(Term term) {
    into_.terms.push_back(term);
    return static_cast<unsigned>(into_.terms.size() - 1);
  }

  unsigned unknown(unsigned bits) { return add({Kind::Unknown, bits}); }

  unsigned fold(Kind kind, llvm::ArrayRef<const llvm::SCEV*> operands, unsigned bits) {
    unsigned result = of(operands.front());
    for (const llvm::SCEV* operand : operands.drop_front()) {
      const unsigned other = of(operand);
      result = add({kind, bits, 0, result, other});
    }
    return result;
  }

  unsigned make(const llvm::SCEV* expression) {
    const unsigned bits =
        llvm::isa<llvm::SCEVCouldNotCompute>(expression) ? 64 : bits_of(expression);
    if (bits > 64 || into_.terms.size() > kMostTerms)
      return unknown(bits);
    const auto* const several = llvm::dyn_cast<llvm::SCEVNAryExpr>(expression);
    switch (expression->getSCEVType()) {
    case llvm::scConstant:
      return add({Kind::Constant, bits,
                  llvm::cast<llvm::SCEVConstant>(expression)->getAPInt().getSExtValue()});
    case llvm::scAddExpr:
      return fold(Kind::Sum, several->operands(), bits);
    case llvm::scMulExpr:
      return fold(Kind::Product, several->operands(), bits);
    case llvm::scSMaxExpr:
      return fold(Kind::SignedMost, several->operands(), bits);
    case llvm::scSMinExpr:
      return fold(Kind::SignedLeast, several->operands(), bits);
    case llvm::scUMaxExpr:
      return fold(Kind::UnsignedMost, several->operands(), bits);
    case llvm::scUMinExpr:
      return fold(Kind::UnsignedLeast, several->operands(), bits);
    case llvm::scUDivExpr: {
      const auto* const quotient = llvm::cast<llvm::SCEVUDivExpr>(expression);
      return fold(Kind::Quotient, {quotient->getLHS(), quotient->getRHS()}, bits);
    }
    case llvm::scSignExtend:
      return cast(Kind::SignExtended, expression, bits);
    case llvm::scZeroExtend:
      return cast(Kind::ZeroExtended, expression, bits);
    case llvm::scTruncate:
      return cast(Kind::Truncated, expression, bits);
    case llvm::scAddRecExpr:
      return repeated(*llvm::cast<llvm::SCEVAddRecExpr>(expression), bits);
    case llvm::scUnknown:
      return value(llvm::cast<llvm::SCEVUnknown>(expression)->getValue(), bits);
    default:
      return unknown(bits);
    }
  }

  unsigned cast(Kind kind, const llvm::SCEV* expression, unsigned bits) {
    const unsigned operand = of(llvm::cast<llvm::SCEVCastExpr>(expression)->getOperand());
    return add({kind, bits, 0, operand});
  }

  unsigned repeated(const llvm::SCEVAddRecExpr& expression, unsigned bits) {
    if (!expression.isAffine())
      return unknown(bits);
    const unsigned start = of(expression.getStart());
    const unsigned step = of(expression.getStepRecurrence(evolution_));
    const unsigned iteration = add({Kind::Iteration, bits, number_of(*expression.getLoop())});
    const unsigned way = add({Kind::Product, bits, 0, step, iteration});
    return add({Kind::Sum, bits, 0, start, way});
  }

  unsigned number_of(const llvm::Loop& loop) {
    const auto [found, is_new] =
        numbers_.try_emplace(&loop, static_cast<unsigned>(into_.loops.size()));
    const unsigned number = found->second;
    if (is_new) {
      into_.loops.emplace_back();
      loops.push_back(&loop);
      const llvm::SCEV* const most = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
      if (!llvm::isa<llvm::SCEVCouldNotCompute>(most))
        into_.loops[number].repeats = of(most);
      else
        into_.loops[number].count = count_of(loop);
    }
    return number;
  }

  std::optional<GroupCount> count_of(const llvm::Loop& loop) {
    const std::optional<Repeated> repeated = counts_.repeated_while(loop);
    if (!repeated)
      return std::nullopt;
    const auto* const current = llvm::cast<llvm::SCEVAddRecExpr>(repeated->current);
    const llvm::CmpInst::Predicate predicate = repeated->predicate;
    return GroupCount{.start = of(current->getStart()),
                      .step = of(current->getStepRecurrence(evolution_)),
                      .limit = of(repeated->limit),
                      .or_equal = llvm::CmpInst::isNonStrictPredicate(predicate),
                      .is_signed = llvm::CmpInst::isSigned(predicate),
                      .down = llvm::ICmpInst::isGE(predicate) || llvm::ICmpInst::isGT(predicate),
                      .at_begin = repeated->at_begin};
  }

  unsigned value(const llvm::Value* value, unsigned bits) {
    for (unsigned i = 0; i < 3; ++i)
      if (value == item_.getArg(2 + i))
        return add({Kind::LocalId, bits, i});
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (!load || !load->getType()->isIntegerTy())
      return unknown(bits);
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    const auto at = static_cast<std::size_t>(offset.getZExtValue());
    if (base == item_.getArg(1))
      return bits % 8 == 0 ? add({Kind::Argument, bits, offset.getSExtValue()}) : unknown(bits);
    if (base != item_.getArg(0) || bits != 64)
      return unknown(bits);
    constexpr std::size_t kGroup = offsetof(gputest_context, group_id);
    if (at >= kGroup && at < kGroup + sizeof(gputest_context::group_id))
      return add({Kind::GroupId, bits, static_cast<std::int64_t>((at - kGroup) / 8)});
    return add({Kind::Context, bits, offset.getSExtValue()});
  }

  GroupAccesses& into_;
  llvm::Function& item_;
  llvm::ScalarEvolution& evolution_;
  LoopCounts& counts_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::SCEV*, unsigned> known_;
  llvm::DenseMap<const llvm::Loop*, unsigned> numbers_;
};

// What holds in a block, from the branches that lead there.
class Conditions {
public:
  Conditions(GroupAccesses& into, Terms& terms, llvm::ScalarEvolution& evolution,
             llvm::DominatorTree& tree, llvm::LoopInfo& loops, LoopCounts& counts)
      : into_(into), terms_(terms), evolution_(evolution), tree_(tree), loops_(loops),
        counts_(counts) {}

  std::vector<unsigned> at(const llvm::BasicBlock* block) {
    return at(block, loops_.getLoopFor(block));
  }
  std::vector<unsigned> before(const llvm::Loop& loop) {
    return at(loop.getHeader(), loop.getParentLoop());
  }

private:
  std::vector<unsigned> at(const llvm::BasicBlock* block, const llvm::Loop* loop) {
    std::vector<unsigned> all;
    const auto* node = tree_.getNode(block);
    for (; node && node->getIDom(); node = node->getIDom()) {
      const llvm::BasicBlock* const before = node->getIDom()->getBlock();
      if (const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(before->getTerminator()))
        add(*choice, node->getBlock(), all);
      const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
      if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
        continue;
      for (const unsigned side : {0U, 1U})
        if (tree_.dominates(llvm::BasicBlockEdge(before, branch->getSuccessor(side)),
                            node->getBlock()))
          add(branch->getCondition(), side == 0, all);
    }
    for (; loop; loop = loop->getParentLoop())
      add_repeated(*loop, all);
    return all;
  }

  // The block is only reached by one case.
  void add(const llvm::SwitchInst& choice, const llvm::BasicBlock* block,
           std::vector<unsigned>& all) {
    for (const auto& one : choice.cases())
      if (tree_.dominates(llvm::BasicBlockEdge(choice.getParent(), one.getCaseSuccessor()), block))
        add(terms_.of(evolution_.getSCEV(choice.getCondition())),
            terms_.of(evolution_.getConstant(one.getCaseValue()->getValue())),
            llvm::CmpInst::ICMP_EQ, all);
  }

  void add(llvm::Value* condition, bool holds, std::vector<unsigned>& all) {
    using namespace llvm::PatternMatch;
    llvm::Value *first = nullptr, *second = nullptr;
    if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
              : match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
      add(first, holds, all);
      add(second, holds, all);
      return;
    }
    if (match(condition, m_Not(m_Value(first)))) {
      add(first, !holds, all);
      return;
    }
    auto* const comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy())
      return;
    add(terms_.of(evolution_.getSCEV(comparison->getOperand(0))),
        terms_.of(evolution_.getSCEV(comparison->getOperand(1))),
        holds ? comparison->getPredicate() : comparison->getInversePredicate(), all);
  }

  // What holds in each iteration, because it holds in the first, and the loop is only repeated if
  // it does. Where a loop compares at its begin, it holds behind that branch only, which is one of
  // those above.
  void add_repeated(const llvm::Loop& loop, std::vector<unsigned>& all) {
    const std::optional<Repeated> repeated = counts_.repeated_while(loop);
    if (!repeated || repeated->at_begin)
      return;
    const auto* const current = llvm::cast<llvm::SCEVAddRecExpr>(repeated->current);
    if (evolution_.isLoopEntryGuardedByCond(&loop, repeated->predicate, current->getStart(),
                                            repeated->limit))
      add(terms_.of(current), terms_.of(repeated->limit), repeated->predicate, all);
  }

  void add(unsigned left, unsigned right, llvm::CmpInst::Predicate predicate,
           std::vector<unsigned>& all) {
    using Predicate = llvm::CmpInst::Predicate;
    const auto note = [&](unsigned less, unsigned more, bool or_equal) {
      all.push_back(number({less, more, or_equal, llvm::CmpInst::isSigned(predicate)}));
    };
    switch (predicate) {
    case Predicate::ICMP_SLT:
    case Predicate::ICMP_ULT:
      return note(left, right, false);
    case Predicate::ICMP_SLE:
    case Predicate::ICMP_ULE:
      return note(left, right, true);
    case Predicate::ICMP_SGT:
    case Predicate::ICMP_UGT:
      return note(right, left, false);
    case Predicate::ICMP_SGE:
    case Predicate::ICMP_UGE:
      return note(right, left, true);
    case Predicate::ICMP_EQ:
      note(left, right, true);
      return note(right, left, true);
    default:
      return;
    }
  }

  unsigned number(Comparison comparison) {
    const auto same = std::ranges::find(into_.comparisons, comparison);
    const auto number = static_cast<unsigned>(same - into_.comparisons.begin());
    if (same == into_.comparisons.end())
      into_.comparisons.push_back(comparison);
    return number;
  }

  GroupAccesses& into_;
  Terms& terms_;
  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& tree_;
  llvm::LoopInfo& loops_;
  LoopCounts& counts_;
};

} // namespace

GroupAccesses group_accesses(llvm::Function& item, const ir::KernelShape& shape) {
  GroupAccesses result;
  result.unknown = obstacle(item, shape);
  if (!result.unknown.empty())
    return result;
  ir::KernelShape objects = shape; // private variables and constants are added to it
  const ir::AccessSet accesses(item, objects);
  ir::AnalysisManagers managers;
  auto& evolution = managers.functions.getResult<llvm::ScalarEvolutionAnalysis>(item);
  auto& tree = managers.functions.getResult<llvm::DominatorTreeAnalysis>(item);
  auto& loops = managers.functions.getResult<llvm::LoopAnalysis>(item);
  LoopCounts counts(evolution, loops);
  Terms terms(result, item, evolution, counts);
  Conditions conditions(result, terms, evolution, tree, loops, counts);
  for (std::size_t i = 0; i < accesses.all().size(); ++i) {
    const ir::Access& access = accesses.all()[i];
    const ir::Origin& origin = accesses.origin(i);
    if (access.space() == ir::kLocalSpace || access.space() == ir::kConstantSpace ||
        (origin.object >= 0 &&
         is_of_group(objects.objects[static_cast<unsigned>(origin.object)], shape)) ||
        (origin.object < 0 && points_into_group(access.pointer(), shape)))
      continue;
    GroupAccess made{
        .object = origin.object, .writes = access.write, .update = update_by(*access.instruction)};
    llvm::Value* const pointer = access.pointer();
    if (const auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(access.size);
        bytes && origin.object >= 0 && evolution.isSCEVable(pointer->getType())) {
      const llvm::SCEV* const address = counts.visit(evolution.getSCEV(pointer));
      const llvm::SCEV* const base = evolution.getPointerBase(address);
      const auto* const known = llvm::dyn_cast<llvm::SCEVUnknown>(base);
      if (known && known->getValue()->stripPointerCasts() == origin.begin) {
        made.offset = terms.of(evolution.getMinusSCEV(address, base));
        made.size = bytes->getZExtValue();
      }
    }
    made.where = conditions.at(access.instruction->getParent());
    if (std::ranges::find(result.accesses, made) == result.accesses.end())
      result.accesses.push_back(std::move(made));
    if (result.terms.size() > kMostTerms || result.accesses.size() > kMostAccesses) {
      result.unknown = "it has many accesses";
      return result;
    }
  }
  for (std::size_t i = 0; i < terms.loops.size(); ++i) // grows
    result.loops[i].where = conditions.before(*terms.loops[i]);
  return result;
}

} // namespace gputest::simulator
