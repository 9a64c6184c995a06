// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's analysis managers, connected to each other, for a run of passes.
#pragma once

#include <llvm/Passes/PassBuilder.h>

namespace gputest::ir {

class AnalysisManagers {
public:
  // `machine`: the target whose costs passes use; must outlive the managers. Null: none.
  explicit AnalysisManagers(llvm::TargetMachine* machine = nullptr,
                            const llvm::PipelineTuningOptions& tuning = {})
      : builder(machine, tuning) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

} // namespace gputest::ir
