// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/context_argument.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <utility>
#include <vector>

namespace gputest::ir {
namespace {

using Functions = llvm::SetVector<llvm::Function*>;

// The users of a variable, or of an address that is computed from it.
void add_users(llvm::Value& value, Functions& functions) {
  for (llvm::User* user : value.users())
    if (auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(instruction->getFunction());
    else if (llvm::isa<llvm::ConstantExpr>(user))
      add_users(*user, functions);
}

// Moves attributes of parameters by one, because the new first parameter has none.
llvm::AttributeList behind_first(const llvm::AttributeList& all, unsigned arguments,
                                 llvm::LLVMContext& context) {
  llvm::SmallVector<llvm::AttributeSet> of_arguments{llvm::AttributeSet()};
  for (unsigned i = 0; i < arguments; ++i)
    of_arguments.push_back(all.getParamAttrs(i));
  return llvm::AttributeList::get(context, all.getFnAttrs(), all.getRetAttrs(), of_arguments);
}

llvm::Function& with_context(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::SmallVector<llvm::Type*> types{llvm::PointerType::getUnqual(context)};
  llvm::append_range(types, function.getFunctionType()->params());
  llvm::Function* const made = llvm::Function::Create(
      llvm::FunctionType::get(function.getReturnType(), types, function.isVarArg()),
      function.getLinkage(), function.getAddressSpace(), "", function.getParent());
  made->takeName(&function);
  made->setCallingConv(function.getCallingConv());
  made->setAttributes(
      behind_first(function.getAttributes(), static_cast<unsigned>(function.arg_size()), context));
  made->setSubprogram(function.getSubprogram());
  function.setSubprogram(nullptr);
  made->splice(made->begin(), &function);
  made->getArg(0)->setName("context");
  for (llvm::Argument& argument : function.args()) {
    llvm::Argument* const now = made->getArg(argument.getArgNo() + 1);
    now->takeName(&argument);
    argument.replaceAllUsesWith(now);
  }
  return *made;
}

void call_with_context(llvm::CallInst& call, llvm::Function& function) {
  llvm::SmallVector<llvm::Value*> arguments{call.getFunction()->getArg(0)};
  llvm::append_range(arguments, call.args());
  llvm::CallInst* const made = llvm::CallInst::Create(&function, arguments, "", call.getIterator());
  made->takeName(&call);
  made->setCallingConv(call.getCallingConv());
  made->setAttributes(behind_first(call.getAttributes(), call.arg_size(), call.getContext()));
  made->setTailCallKind(call.getTailCallKind());
  made->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

} // namespace

void give_context(llvm::Function& item, llvm::ArrayRef<llvm::GlobalVariable*> variables) {
  Functions functions;
  functions.insert(&item);
  for (llvm::GlobalVariable* variable : variables)
    add_users(*variable, functions);
  for (std::size_t i = 1; i < functions.size(); ++i) // grows
    add_users(*functions[i], functions);
  std::vector<std::pair<llvm::Function*, llvm::Function*>> made;
  for (llvm::Function* function : functions.getArrayRef().drop_front())
    made.emplace_back(function, &with_context(*function));
  for (const auto& [function, with] : made) {
    for (llvm::User* user : llvm::make_early_inc_range(function->users()))
      if (auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->getCalledOperand() == function)
        call_with_context(*call, *with);
    function->replaceAllUsesWith(with);
    function->eraseFromParent();
  }
}

} // namespace gputest::ir
