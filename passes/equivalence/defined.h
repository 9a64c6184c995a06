// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defines behaviour that languages leave undefined, so that optimisation cannot use it.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace gputest::passes {

// Calls `change` for a function and for each call of it, to change their attributes.
template <typename Change> void change_function_and_calls(llvm::Function& function, Change change) {
  change(function);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        call && call->getCalledOperand() == &function)
      change(*call);
}

// Initialises each variable that has no value yet with an unknown value of its own.
void give_variables_values(llvm::Function& function);

// Defines behaviour in code without guards that is not yet optimised. Afterwards
// - each access of memory is also a call that optimisation keeps, with the address and the number
//   of bytes;
// - a division by 0, a division of the lowest number by -1 and a shift by too much are effects
//   without a known result;
// - promises of the author (unreachable, assume) are effects from which nothing follows;
// - floating-point operations are unknown functions of their operands, because each compiler fuses
//   them in its own way.
void define(llvm::Module& module);

// Removes the calls of define() that say nothing: for accesses within variables, and for divisors
// and shifts whose values are known to be valid.
class ForgetKnown : public llvm::PassInfoMixin<ForgetKnown> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gputest::passes
