// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/solve/asked.h"

#include "ir/call.h"
#include "ir/kernels/lower.h"
#include "templates/simulator/context.h"
#include "testgen/concolic/dependence.h"

namespace gputest::testgen {
namespace {

bool is_wait(const llvm::Instruction& instruction) {
  return ir::is_call(instruction, ir::kWarpFunction) ||
         ir::is_call(instruction, ir::kBarrierFunction);
}

} // namespace

// The slot is filled, the thread waits, and the answer is read: in one block, one after the other.
std::optional<Asked> asked_before(const llvm::LoadInst& answer, const llvm::Function& item) {
  if (!is_in_slot(answer.getPointerOperand(), item))
    return std::nullopt;
  Asked asked;
  bool waited = false;
  unsigned halves = 0;
  for (const llvm::Instruction* at = answer.getPrevNode(); at; at = at->getPrevNode()) {
    if (is_wait(*at)) {
      if (waited)
        return std::nullopt;
      waited = true;
    }
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(at);
    if (!store || !waited || !is_in_slot(store->getPointerOperand(), item))
      continue;
    if (store->getValueOperand()->getType()->isIntegerTy(64)) {
      asked.value = store->getValueOperand();
      continue;
    }
    // Before it the place, the parameter, the mask, and first of all the kind
    // (ir/kernels/work_items.cpp).
    if (++halves < 4)
      continue;
    const auto* const kind = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
    if (!kind || !asked.value)
      return std::nullopt;
    asked.kind = static_cast<unsigned>(kind->getZExtValue());
    return asked;
  }
  return std::nullopt;
}

std::vector<Label> facts_of_answer(Table& table, unsigned kind, Label told, Label said) {
  const auto number = [&](std::uint64_t value) { return table.constant(value, 64); };
  const auto at_most = [&](Label a, Label b) { return table.make(Op::ULessEqual, 1, a, b); };
  const auto is_zero = [&](Label a) { return table.make(Op::Equal, 1, a, number(0)); };
  const auto either = [&](Label a, Label b) { return table.make(Op::Or, 1, a, b); };
  const auto common = [&](Label a, Label b) { return table.make(Op::And, 64, a, b); };
  if (kind != GPUTEST_BLOCK_VOTE && (kind < GPUTEST_WARP_ALL || kind > GPUTEST_WARP_ACTIVE))
    return {}; // what others held, or nothing
  std::vector<Label> facts{at_most(told, number(0xffffffff))};
  if (kind == GPUTEST_BLOCK_VOTE) {
    const Label say_so = common(told, number(0xffffffff));
    const Label all = table.make(Op::LShr, 64, told, number(32));
    facts = {at_most(say_so, all), at_most(number(1), all),
             at_most(all, number(GPUTEST_MOST_THREADS))};
    if (said) {
      facts.push_back(either(is_zero(said), at_most(number(1), say_so)));
      facts.push_back(either(table.negation(is_zero(said)), table.make(Op::ULess, 1, say_so, all)));
    }
    return facts;
  }
  if (kind == GPUTEST_WARP_ALL || kind == GPUTEST_WARP_ANY || kind == GPUTEST_WARP_UNI)
    facts = {at_most(told, number(1))};
  if (kind == GPUTEST_WARP_MATCH_ANY || kind == GPUTEST_WARP_ACTIVE)
    facts.push_back(table.negation(is_zero(told)));
  if (!said)
    return facts;
  const auto lower = [&](Label a) { return table.make(Op::Extract, 32, a); };
  const Label mine = common(said, number(0xffffffff));
  switch (kind) {
  case GPUTEST_WARP_ALL:
    facts.push_back(either(is_zero(told), table.negation(is_zero(said))));
    break;
  case GPUTEST_WARP_ANY:
  case GPUTEST_WARP_BALLOT:
    facts.push_back(either(is_zero(said), table.negation(is_zero(told))));
    break;
  case GPUTEST_WARP_MIN:
    facts.push_back(table.make(Op::SLessEqual, 1, lower(told), lower(said)));
    break;
  case GPUTEST_WARP_MAX:
    facts.push_back(table.make(Op::SLessEqual, 1, lower(said), lower(told)));
    break;
  case GPUTEST_WARP_UMIN:
    facts.push_back(at_most(told, mine));
    break;
  case GPUTEST_WARP_UMAX:
    facts.push_back(at_most(mine, told));
    break;
  case GPUTEST_WARP_AND:
    facts.push_back(table.make(Op::Equal, 1, common(told, mine), told));
    break;
  case GPUTEST_WARP_OR:
    facts.push_back(table.make(Op::Equal, 1, common(told, mine), mine));
    break;
  default:
    break;
  }
  return facts;
}

} // namespace gputest::testgen
