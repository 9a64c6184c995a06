// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/inline.h"

#include "ir/analysis_managers.h"
#include "ir/cuda_mark.h"
#include "ir/error.h"
#include "ir/lowered_names.h"
#include "ir/places.h"
#include "ir/recursion.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace gputest::ir {
namespace {

void refuse_recursion(llvm::Module& module, const std::set<const llvm::Function*>& kept) {
  std::string messages;
  const llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
    if (!component.hasCycle())
      continue;
    for (const llvm::CallGraphNode* node : *component)
      for (const auto& [call, callee] : *node) {
        if (!call || !*call || !callee->getFunction() || kept.contains(callee->getFunction()))
          continue;
        const auto* const instruction = llvm::cast<llvm::Instruction>(&**call);
        if (std::ranges::find(*component, callee) != component->end())
          messages += fmt::format(
              "{}error: '{}' calls itself{}; {}\n", place_prefix(place_of(*instruction)),
              source_name(*callee->getFunction()),
              callee == node ? "" : ", by way of other functions",
              is_cuda(module) ? "the simulator runs no recursion in which a thread waits, unless "
                                "the function calls itself last; none that uses variables or "
                                "pointers with the check of uninitialized values; and none that "
                                "uses variables of the device where inputs are made up"
                              : "OpenCL C has no recursion");
      }
  }
  if (!messages.empty())
    throw SourceError(messages.substr(0, messages.size() - 1));
}

bool ends_thread(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == kExitFunction;
}

void end_threads(llvm::Function& kernel) {
  for (llvm::BasicBlock& block : kernel)
    if (const auto call = std::ranges::find_if(block, ends_thread); call != block.end()) {
      llvm::changeToUnreachable(&*call);
      llvm::ReplaceInstWithInst(block.getTerminator(),
                                llvm::ReturnInst::Create(kernel.getContext()));
    }
}

} // namespace

void inline_calls(llvm::Module& module, llvm::Function& kernel, Keep keep) {
  // Definitions that only other modules could need.
  for (const char* name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* variable = module.getGlobalVariable(name, true))
      variable->eraseFromParent();
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (&function == &kernel)
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
  // Calls may be marked noinline, too.
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          call->removeFnAttr(llvm::Attribute::NoInline);

  AnalysisManagers analyses;
  llvm::ModulePassManager unused;
  unused.addPass(llvm::GlobalDCEPass());
  unused.run(module, analyses.modules);
  std::set<const llvm::Function*> kept;
  if (is_cuda(module))
    hand_down_ids(module);
  else // which has no recursion
    refuse_recursion(module, kept);
  kept = kept_functions(module, kernel, keep);
  if (is_cuda(module) && make_loops_of_last_calls(module, kept))
    kept = kept_functions(module, kernel, keep);
  refuse_recursion(module, kept);
  for (llvm::Function& function : module) {
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (&function != &kernel)
      function.addFnAttr(kept.contains(&function) ? llvm::Attribute::NoInline
                                                  : llvm::Attribute::AlwaysInline);
  }
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
  end_threads(kernel);
}

} // namespace gputest::ir
