#include "ir/kept.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <map>
#include <vector>

namespace gputest::simulator {
namespace {

struct Callee {
  std::size_t size = 0; // instructions, with all calls inlined
  bool can_stay = true; // and all that it calls
  std::size_t copies = 0;
  std::vector<const llvm::Function*> calls; // one for each place
};

bool has_pointers(const llvm::Function& function) {
  return function.getReturnType()->isPointerTy() ||
         std::ranges::any_of(function.args(), [](const llvm::Argument& argument) {
           return argument.getType()->isPointerTy();
         });
}

bool uses_variables(const llvm::Instruction& instruction) {
  return std::ranges::any_of(instruction.operands(), [](const llvm::Use& use) {
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(
        use->stripPointerCastsAndAliases()->stripInBoundsOffsets());
    return variable && !variable->isConstant();
  });
}

class Selection {
public:
  Selection(llvm::Module& module, llvm::Function& kernel, Keep keep)
      : keep_(keep), graph_(module), kernel_(kernel) {}

  std::set<const llvm::Function*> run() {
    // Callees before their callers.
    std::vector<const llvm::Function*> order;
    for (llvm::CallGraphNode* node : llvm::post_order(graph_[&kernel_]))
      if (const llvm::Function* const function = node->getFunction();
          function && !function->isDeclaration()) {
        look_at(*function);
        order.push_back(function);
      }
    std::set<const llvm::Function*> kept;
    callees_[&kernel_].copies = 1;
    for (auto function = order.rbegin(); function != order.rend(); ++function) {
      Callee& callee = callees_[*function];
      if (*function != &kernel_ &&
          (is_meant_to_stay(**function, callee) ||
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
  void look_at(const llvm::Function& function) {
    Callee callee;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) {
        if (instruction.isDebugOrPseudoInst())
          continue;
        ++callee.size;
        callee.can_stay = callee.can_stay && !uses_variables(instruction);
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || llvm::isa<llvm::IntrinsicInst>(call))
          continue;
        const llvm::Function* const called = call->getCalledFunction();
        const auto known = callees_.find(called);
        if (known == callees_.end()) { // has no body: of the work-item, of the launch, or missing
          callee.can_stay = false;
          continue;
        }
        callee.can_stay = callee.can_stay && known->second.can_stay;
        callee.size += is_meant_to_stay(*called, known->second) ? 1 : known->second.size;
        callee.calls.push_back(called);
      }
    callees_[&function] = std::move(callee);
  }

  // The author says that it is called seldom, or the like.
  bool is_meant_to_stay(const llvm::Function& function, const Callee& callee) const {
    return keep_ == Keep::Everything && callee.can_stay && function.getSubprogram() &&
           function.hasFnAttribute(llvm::Attribute::NoInline);
  }

  bool may_stay(const llvm::Function& function, const Callee& callee) const {
    if (!callee.can_stay || callee.size <= kAlwaysInlined)
      return false;
    // What has a place is the author's.
    return keep_ == Keep::Everything || (!function.getSubprogram() && !has_pointers(function));
  }

  Keep keep_;
  llvm::CallGraph graph_;
  llvm::Function& kernel_;
  std::map<const llvm::Function*, Callee> callees_;
};

} // namespace

std::set<const llvm::Function*> kept_functions(llvm::Module& module, llvm::Function& kernel,
                                               Keep keep) {
  if (keep == Keep::Nothing)
    return {};
  return Selection(module, kernel, keep).run();
}

} // namespace gputest::simulator
