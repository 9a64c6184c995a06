// LLVM's managers of analyses, which refer to each other: what each run of passes needs.
#pragma once

#include <llvm/Passes/PassBuilder.h>

namespace gputest::simulator {

class AnalysisManagers {
public:
  // `machine`: whose costs the passes know; it must outlive the managers. nullptr: none.
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

} // namespace gputest::simulator
