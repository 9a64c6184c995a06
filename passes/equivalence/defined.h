// Gives a meaning to what languages leave undefined, so that optimisation cannot use it.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace gputest::passes::mutation {

// Changes the attributes of a function's declaration and of its calls.
template <typename Change> void change_function_and_calls(llvm::Function& function, Change change) {
  change(function);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        call && call->getCalledOperand() == &function)
      change(*call);
}

// Gives each variable that has no value yet an unknown value of its own.
void give_variables_values(llvm::Function& function);

// For code without guards, which is not optimised yet. Afterwards
// - each access of memory is also a call that stays, with the address and the number of bytes;
// - nothing is known of a division by 0 and of the lowest number by -1, but that it is done, nor of
//   shifts by too much;
// - promises of the author (unreachable, assume) are effects, and nothing follows from them;
// - operations on floating-point numbers are functions of their operands of which nothing else is
//   known, because compilers fuse them, each in its own way.
void define(llvm::Module& module);

// Leaves out those of these calls that say nothing: accesses within variables, and divisors and
// shifts whose values are known to be right.
class ForgetKnown : public llvm::PassInfoMixin<ForgetKnown> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gputest::passes::mutation
