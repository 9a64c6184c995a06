// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/private_arrays.h"

#include "ir/analysis_managers.h"
#include "memory/trace/waits.h"

#include <algorithm>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <set>
#include <vector>

namespace gputest::memory {
namespace {

class Uses {
public:
  explicit Uses(llvm::Function& item)
      : evolution_(managers_.functions.getResult<llvm::ScalarEvolutionAnalysis>(item)) {}

  Indexed of(llvm::AllocaInst& variable) {
    Indexed found = Indexed::None;
    std::vector<llvm::Value*> pointers{&variable};
    std::set<const llvm::Value*> seen;
    while (!pointers.empty()) {
      llvm::Value* const pointer = pointers.back();
      pointers.pop_back();
      if (!seen.insert(pointer).second)
        continue;
      for (llvm::User* const user : pointer->users())
        if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::BitCastInst>(user))
          pointers.push_back(user);
        else if (!is_access(*user, *pointer))
          return Indexed::Writes;
        else if (!is_known(evolution_.removePointerBase(evolution_.getSCEV(pointer))))
          found =
              std::max(found, llvm::isa<llvm::LoadInst>(user) ? Indexed::Reads : Indexed::Writes);
    }
    return found;
  }

private:
  // Whether `user` accesses the place, and does nothing else with it.
  static bool is_access(const llvm::User& user, const llvm::Value& pointer) {
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&user))
      return store->getValueOperand() != &pointer;
    if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&user))
      return llvm::isa<llvm::MemIntrinsic>(call) || call->isLifetimeStartOrEnd() ||
             call->isAssumeLikeIntrinsic();
    return llvm::isa<llvm::LoadInst>(user);
  }

  bool is_known(const llvm::SCEV* offset) {
    return !llvm::SCEVExprContains(offset, [&](const llvm::SCEV* part) {
      if (llvm::isa<llvm::SCEVUnknown, llvm::SCEVCouldNotCompute>(part))
        return true;
      const auto* const counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
      if (!counter)
        return false;
      const unsigned iterations = evolution_.getSmallConstantTripCount(counter->getLoop());
      return iterations == 0 || iterations > kMostUnwound + 1;
    });
  }

  ir::AnalysisManagers managers_;
  llvm::ScalarEvolution& evolution_;
};

} // namespace

std::map<const llvm::AllocaInst*, PrivateArray> private_arrays(llvm::Function& item) {
  std::map<const llvm::AllocaInst*, PrivateArray> arrays;
  std::optional<Uses> uses;
  for (llvm::Instruction& instruction : llvm::instructions(item)) {
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    const auto size =
        variable ? variable->getAllocationSize(item.getParent()->getDataLayout()) : std::nullopt;
    if (!size || size->isScalable())
      continue;
    if (!uses)
      uses.emplace(item);
    const PrivateArray array{.size = size->getFixedValue(), .indexed = uses->of(*variable)};
    if (array.indexed != Indexed::None || array.size > kSurelyRegisters)
      arrays[variable] = array;
  }
  return arrays;
}

} // namespace gputest::memory
