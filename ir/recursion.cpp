// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/recursion.h"

#include "ir/analysis_managers.h"
#include "ir/host.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/TailRecursionElimination.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gputest::ir {
namespace {

bool answers_alike(llvm::StringRef function) {
  return llvm::StringSwitch<bool>(function)
      .Cases("_Z12get_local_idj", "_Z12get_group_idj", "_Z14get_local_sizej",
             "_Z23get_enqueued_local_sizej", "_Z14get_num_groupsj", "_Z19get_local_linear_idv",
             true)
      .Cases("gputest_is_cooperative", "gputest_cluster_size", true)
      .Default(false);
}

// A work-item function and its dimension, or the address of a __shared__ variable.
struct Question {
  llvm::Function* function = nullptr;
  std::optional<std::uint64_t> dimension{};
  llvm::GlobalVariable* variable = nullptr;

  auto operator<=>(const Question&) const = default;

  llvm::Type* type(llvm::LLVMContext& context) const {
    if (variable)
      return variable->getType();
    return llvm::Type::getInt64Ty(context);
  }
};

llvm::GlobalVariable* shared_variable(llvm::Value* value) {
  auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
  return variable && variable->getAddressSpace() == kLocalSpace ? variable : nullptr;
}

std::optional<Question> question_of(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
  if (!called || !called->isDeclaration() || !answers_alike(called->getName()))
    return std::nullopt;
  if (call->arg_size() == 0)
    return Question{.function = called};
  const auto* const dimension = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
  return dimension
             ? std::optional(Question{.function = called, .dimension = dimension->getZExtValue()})
             : std::nullopt;
}

// The module's functions that call themselves, also by way of others.
llvm::SetVector<llvm::Function*> recursive_functions(llvm::CallGraph& graph) {
  llvm::SetVector<llvm::Function*> found;
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (const llvm::CallGraphNode* node : *component)
        if (llvm::Function* const function = node->getFunction();
            function && !function->isDeclaration())
          found.insert(function);
  return found;
}

class HandingDown {
public:
  explicit HandingDown(llvm::Module& module) : module_(module) {}

  void run() {
    find_functions();
    if (questions_.empty() || std::ranges::any_of(functions_, has_other_uses))
      return;
    for (llvm::Function* function : functions_)
      add_parameters(*function);
    std::vector<llvm::CallInst*> calls;
    for (const auto& [before, now] : changed_)
      for (llvm::User* user : before->users())
        calls.push_back(llvm::cast<llvm::CallInst>(user));
    for (llvm::CallInst* call : calls)
      add_answers(*call);
    for (const auto& [before, now] : changed_)
      before->eraseFromParent();
  }

private:
  // Finds recursive functions, and what they call, if they ask or call one that asks.
  void find_functions() {
    llvm::CallGraph graph(module_);
    llvm::SetVector<llvm::Function*> inside = recursive_functions(graph);
    for (std::size_t i = 0; i < inside.size(); ++i)
      for (const auto& [call, callee] : *graph[inside[i]])
        if (llvm::Function* const function = callee->getFunction();
            function && !function->isDeclaration())
          inside.insert(function);
    llvm::SmallVector<llvm::Constant*> variables;
    for (llvm::GlobalVariable& variable : module_.globals())
      if (shared_variable(&variable))
        variables.push_back(&variable);
    for (llvm::Function* function : inside) // also in expressions
      llvm::convertUsersOfConstantsToInstructions(variables, function);
    for (bool more = true; std::exchange(more, false);)
      for (llvm::Function* function : inside)
        if (!functions_.contains(function) && asks(*function)) {
          functions_.insert(function);
          more = true;
        }
  }

  bool asks(llvm::Function& function) {
    bool result = false;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const std::optional<Question> question = question_of(instruction)) {
        questions_.insert(*question);
        result = true;
      }
      for (llvm::Value* operand : instruction.operands())
        if (llvm::GlobalVariable* const variable = shared_variable(operand)) {
          questions_.insert({.variable = variable});
          result = true;
        }
      const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      result |= call && call->getCalledFunction() && functions_.contains(call->getCalledFunction());
    }
    return result;
  }

  static bool has_other_uses(const llvm::Function* function) {
    return function->isVarArg() || llvm::any_of(function->uses(), [](const llvm::Use& use) {
             const auto* const call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
             return !call || !call->isCallee(&use);
           });
  }

  void add_parameters(llvm::Function& before) {
    llvm::SmallVector<llvm::Type*> types(before.getFunctionType()->params());
    for (const Question& question : questions_)
      types.push_back(question.type(module_.getContext()));
    llvm::Function* const now =
        llvm::Function::Create(llvm::FunctionType::get(before.getReturnType(), types, false),
                               before.getLinkage(), before.getAddressSpace(), "", &module_);
    now->takeName(&before);
    now->copyAttributesFrom(&before);
    now->splice(now->begin(), &before);
    now->setSubprogram(before.getSubprogram());
    before.setSubprogram(nullptr);
    for (llvm::Argument& argument : before.args()) {
      argument.replaceAllUsesWith(now->getArg(argument.getArgNo()));
      now->getArg(argument.getArgNo())->takeName(&argument);
    }
    const unsigned first = static_cast<unsigned>(before.arg_size());
    for (llvm::Instruction& instruction : llvm::instructions(now))
      for (llvm::Use& operand : instruction.operands())
        if (llvm::GlobalVariable* const variable = shared_variable(operand))
          operand.set(now->getArg(first + number_of({.variable = variable})));
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(now)))
      if (const std::optional<Question> question = question_of(instruction)) {
        llvm::IRBuilder<> builder(&instruction);
        instruction.replaceAllUsesWith(builder.CreateZExtOrTrunc(
            now->getArg(first + number_of(*question)), instruction.getType()));
        instruction.eraseFromParent();
      }
    changed_[&before] = now;
    first_answer_[now] = first;
  }

  unsigned number_of(const Question& question) const {
    return static_cast<unsigned>(std::ranges::find(questions_, question) - questions_.begin());
  }

  void add_answers(llvm::CallInst& call) {
    llvm::Function* const callee = changed_.lookup(call.getCalledFunction());
    llvm::Function* const caller = call.getFunction();
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value*> arguments(call.args());
    for (unsigned i = 0; i < questions_.size(); ++i)
      if (const auto own = first_answer_.find(caller); own != first_answer_.end())
        arguments.push_back(caller->getArg(own->second + i));
      else
        arguments.push_back(answer(builder, questions_[i]));
    llvm::CallInst* const with = builder.CreateCall(callee, arguments);
    with->setAttributes(call.getAttributes());
    with->setCallingConv(call.getCallingConv());
    with->takeName(&call);
    call.replaceAllUsesWith(with);
    call.eraseFromParent();
  }

  llvm::Value* answer(llvm::IRBuilder<>& builder, const Question& question) const {
    if (question.variable)
      return question.variable;
    llvm::SmallVector<llvm::Value*> arguments;
    if (question.dimension)
      arguments.push_back(llvm::ConstantInt::get(
          question.function->getFunctionType()->getParamType(0), *question.dimension));
    return builder.CreateZExt(builder.CreateCall(question.function, arguments),
                              builder.getInt64Ty());
  }

  llvm::Module& module_;
  llvm::SetVector<llvm::Function*> functions_;
  llvm::SetVector<Question, std::vector<Question>, std::set<Question>> questions_;
  llvm::MapVector<llvm::Function*, llvm::Function*> changed_;
  std::map<llvm::Function*, unsigned> first_answer_; // the number of a parameter
};

// Inlines calls of functions that are not recursive. A variable whose address such a function gets
// would keep a call from being the last action.
void inline_others(llvm::Function& function, const llvm::SetVector<llvm::Function*>& recursive) {
  const auto is_other = [&](const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
    return called && !called->isDeclaration() && !recursive.contains(called);
  };
  std::set<const llvm::Instruction*> stays; // what cannot be inlined
  while (true) {
    const auto all = llvm::instructions(function);
    const auto next = llvm::find_if(all, [&](const llvm::Instruction& instruction) {
      return is_other(instruction) && !stays.contains(&instruction);
    });
    if (next == all.end())
      return;
    llvm::InlineFunctionInfo info;
    if (!llvm::InlineFunction(llvm::cast<llvm::CallInst>(*next), info).isSuccess())
      stays.insert(&*next);
  }
}

bool calls_itself(const llvm::Function& function) {
  return llvm::any_of(function.users(), [&](const llvm::User* user) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    return call && call->getCalledFunction() == &function && call->getFunction() == &function;
  });
}

} // namespace

void hand_down_ids(llvm::Module& module) {
  HandingDown(module).run();
}

bool make_loops_of_last_calls(llvm::Module& module, const std::set<const llvm::Function*>& kept) {
  AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::TailCallElimPass());
  llvm::CallGraph graph(module);
  const llvm::SetVector<llvm::Function*> recursive = recursive_functions(graph);
  bool any = false;
  for (llvm::Function& function : module)
    if (!kept.contains(&function) && calls_itself(function)) {
      inline_others(function, recursive);
      passes.run(function, analyses.functions);
      any = true;
    }
  return any;
}

} // namespace gputest::ir
