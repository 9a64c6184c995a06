// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/kept.h"

#include "ir/cuda/by_itself.h"
#include "ir/cuda/spins.h"
#include "ir/cuda_mark.h"
#include "ir/host.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

namespace gputest::ir {
namespace {

struct Callee {
  std::size_t size = 0;       // instructions, with all calls inlined
  bool can_stay = true;       // and all that it calls
  bool has_variables = false; // of the program; and all that it calls
  bool recursive = false;
  std::size_t copies = 0;
  std::vector<const llvm::Function*> calls{}; // one for each place
};

bool has_pointers(const llvm::Function& function) {
  return function.getReturnType()->isPointerTy() ||
         std::ranges::any_of(function.args(), [](const llvm::Argument& argument) {
           return argument.getType()->isPointerTy();
         });
}

enum class Variables { None, OfProgram, OfGroup };

Variables of(const llvm::GlobalVariable& variable) {
  if (variable.isConstant())
    return Variables::None;
  const bool of_program = variable.getAddressSpace() == kGlobalSpace ||
                          variable.isExternallyInitialized(); // which is CUDA's
  return of_program && !variable.isDeclaration() ? Variables::OfProgram : Variables::OfGroup;
}

// Returns the most restrictive kind of variable that the user's operands refer to. Addresses can be
// nested constant expressions.
Variables variables_of(const llvm::User& user) {
  auto most = Variables::None;
  for (const llvm::Use& use : user.operands())
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(use))
      most = std::max(most, of(*variable));
    else if (const auto* const constant = llvm::dyn_cast<llvm::ConstantExpr>(use))
      most = std::max(most, variables_of(*constant));
  return most;
}

class Selection {
public:
  Selection(llvm::Module& module, llvm::Function& kernel, Keep keep)
      : keep_(keep), graph_(module), kernel_(kernel) {}

  std::set<const llvm::Function*> run() {
    // Callees before their callers.
    std::vector<const llvm::Function*> order;
    for (auto cycle = llvm::scc_begin(graph_[&kernel_]); !cycle.isAtEnd(); ++cycle) {
      const std::size_t first = order.size();
      for (llvm::CallGraphNode* node : *cycle)
        if (const llvm::Function* const function = node->getFunction();
            function && !function->isDeclaration())
          order.push_back(function);
      look_at(std::span(order).subspan(first), cycle.hasCycle());
    }
    std::set<const llvm::Function*> kept;
    callees_[&kernel_].copies = 1;
    for (auto function = order.rbegin(); function != order.rend(); ++function) {
      Callee& callee = callees_[*function];
      if (*function != &kernel_ &&
          ((callee.recursive && callee.can_stay) || is_meant_to_stay(**function, callee) ||
           (may_stay(**function, callee) && callee.copies * callee.size > kMostInlined))) {
        kept.insert(*function);
        callee.copies = 1;
      }
      for (const llvm::Function* called : callee.calls)
        callees_[called].copies += callee.copies;
    }
    return kept;
  }

private:
  // Functions that call each other are kept together or not at all.
  void look_at(std::span<const llvm::Function* const> functions, bool recursive) {
    for (const llvm::Function* function : functions)
      callees_[function] = {.recursive = recursive};
    for (const llvm::Function* function : functions)
      look_at(*function);
    const bool have_variables = std::ranges::any_of(
        functions, [&](const auto* function) { return callees_[function].has_variables; });
    const bool stay = std::ranges::all_of(functions, [&](const llvm::Function* function) {
      return callees_[function].can_stay &&
             !(recursive && keep_ == Keep::Nothing && (have_variables || has_pointers(*function)));
    });
    for (const llvm::Function* function : functions) {
      callees_[function].can_stay = stay;
      callees_[function].has_variables = have_variables;
    }
  }

  // Whether it is one of the simulator's functions that do not need the work-item.
  static bool is_native(const llvm::Function& function) {
    return llvm::StringSwitch<bool>(function.getName())
        .Cases("gputest_malloc", "gputest_free", "gputest_vprintf", "gputest_clock", "gputest_trap",
               "gputest_no_function", "gputest_host_call", "gputest_fence", "gputest_order",
               "gputest_dynamic_shared", true)
        .Default(false);
  }

  void look_at(const llvm::Function& function) {
    Callee callee{.recursive = callees_[&function].recursive};
    // A loop that calls such a function may wait.
    callee.can_stay = !is_cuda(*function.getParent()) || !reads_what_others_write(function);
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) {
        if (instruction.isDebugOrPseudoInst())
          continue;
        ++callee.size;
        const Variables variables = variables_of(instruction);
        callee.can_stay = callee.can_stay && variables != Variables::OfGroup &&
                          !(variables == Variables::OfProgram && is_by_itself(kernel_));
        callee.has_variables |= variables == Variables::OfProgram;
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function* const called = call ? call->getCalledFunction() : nullptr;
        if (called && called->isIntrinsic()) // those of NVPTX are not the host's
          callee.can_stay = callee.can_stay && !called->getName().starts_with("llvm.nvvm.");
        if (!call || llvm::isa<llvm::IntrinsicInst>(call) || (called && is_native(*called)))
          continue;
        const auto known = callees_.find(called);
        if (known == callees_.end()) { // no body: a function of the work-item or launch, or an
                                       // undefined one
          callee.can_stay = false;
          continue;
        }
        callee.can_stay = callee.can_stay && known->second.can_stay;
        callee.has_variables |= known->second.has_variables;
        callee.size += is_meant_to_stay(*called, known->second) ? 1 : known->second.size;
        callee.calls.push_back(called);
      }
    callees_[&function] = std::move(callee);
  }

  // Whether the author wants a call (noinline). Functions with variables are inlined nevertheless:
  // a call may change any variable, so recording at each site is faster in place, where reads can
  // be merged.
  bool is_meant_to_stay(const llvm::Function& function, const Callee& callee) const {
    return keep_ == Keep::Everything && callee.can_stay && !callee.has_variables &&
           function.getSubprogram() && function.hasFnAttribute(llvm::Attribute::NoInline);
  }

  bool may_stay(const llvm::Function& function, const Callee& callee) const {
    if (keep_ == Keep::Nothing || !callee.can_stay || callee.size <= kAlwaysInlined)
      return false;
    // Functions with debug information are the author's.
    return keep_ == Keep::Everything ||
           (!function.getSubprogram() && !has_pointers(function) && !callee.has_variables);
  }

  Keep keep_;
  llvm::CallGraph graph_;
  llvm::Function& kernel_;
  std::map<const llvm::Function*, Callee> callees_;
};

} // namespace

std::set<const llvm::Function*> kept_functions(llvm::Module& module, llvm::Function& kernel,
                                               Keep keep) {
  return Selection(module, kernel, keep).run();
}

} // namespace gputest::ir
