// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/null_tests.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <set>
#include <vector>

namespace gputest::testgen {
namespace {

bool is_null(const llvm::Value& value) {
  const auto* const constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (!constant)
    return false;
  if (const auto* const cast = llvm::dyn_cast<llvm::ConstantExpr>(constant);
      cast && cast->isCast()) // of a null pointer to another address space
    return cast->getOperand(0)->isNullValue();
  return constant->isNullValue();
}

class Pointers {
public:
  explicit Pointers(const llvm::Value& first) { add(first); }

  bool any_is_compared() {
    while (!open_.empty()) {
      const llvm::Value& pointer = *open_.back();
      open_.pop_back();
      for (const llvm::Use& use : pointer.uses())
        if (is_comparison(use))
          return true;
    }
    return false;
  }

private:
  void add(const llvm::Value& value) {
    if (seen_.insert(&value).second)
      open_.push_back(&value);
  }

  // Adds the values that are the same pointer by way of this use.
  bool is_comparison(const llvm::Use& use) {
    const llvm::User& user = *use.getUser();
    if (const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(&user))
      return is_null(*compare->getOperand(1 - use.getOperandNo()));
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      if (variable && store->getValueOperand() == use.get())
        for (const llvm::User* const reader : variable->users())
          if (llvm::isa<llvm::LoadInst>(reader))
            add(*reader);
    } else if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&user)) {
      const llvm::Function* const called = call->getCalledFunction();
      if (called && call->isArgOperand(&use) && call->getArgOperandNo(&use) < called->arg_size())
        add(*called->getArg(call->getArgOperandNo(&use)));
    } else if (llvm::isa<llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user)) {
      add(user);
    }
    return false;
  }

  std::vector<const llvm::Value*> open_;
  std::set<const llvm::Value*> seen_;
};

} // namespace

bool is_compared_with_null(const llvm::Argument& pointer) {
  return Pointers(pointer).any_is_compared();
}

} // namespace gputest::testgen
