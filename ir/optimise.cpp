// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/optimise.h"

#include "frontend/llvm_version.h"
#include "ir/analysis_managers.h"
#include "ir/error.h"
#include "ir/host.h"

#include <algorithm>
#include <limits>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Instrumentation/MemorySanitizer.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace gputest::ir {
namespace {

// Analysis managers with the costs of this machine.
class Passes {
public:
  Passes() : managers_(machine_.get(), tuning()) {}
  llvm::PassBuilder& builder() { return managers_.builder; }
  llvm::FunctionAnalysisManager& functions() { return managers_.functions; }
  llvm::ModuleAnalysisManager& modules() { return managers_.modules; }

private:
  static llvm::PipelineTuningOptions tuning() {
    llvm::PipelineTuningOptions options;
    options.LoopVectorization = true;
    options.SLPVectorization = true;
    return options;
  }
  BorrowedMachine machine_;
  AnalysisManagers managers_;
};

// The good register allocator takes time that grows with the product of instructions and blocks: of
// a kernel of 440 lines with barriers, races watched, 19,000 and 2,200 are 24 s, and 0.5 s without.
constexpr std::uint64_t kMostForGoodCode = 10'000'000;

bool takes_too_long(const llvm::Module& module) {
  return std::ranges::any_of(module, [](const llvm::Function& function) {
    return std::uint64_t{function.getInstructionCount()} * function.size() > kMostForGoodCode;
  });
}

// Correlated value propagation takes time that grows faster than the function. A CUDA kernel with
// all mutants has 144,000 instructions, and 41,000 after 12 s of LLVM's usual passes. The passes of
// simplify_much() take 3 s and leave 45,000.
constexpr std::size_t kMostForAll = 60'000;

llvm::FunctionPassManager simplify_much() {
  llvm::FunctionPassManager manager;
  manager.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  manager.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  for (int round = 0; round < 2; ++round) {
    manager.addPass(llvm::SimplifyCFGPass());
    manager.addPass(llvm::InstCombinePass());
    manager.addPass(llvm::SimplifyCFGPass());
    manager.addPass(llvm::SCCPPass());
    manager.addPass(llvm::ADCEPass());
    manager.addPass(llvm::GVNPass());
  }
  manager.addPass(llvm::InstCombinePass());
  manager.addPass(llvm::SimplifyCFGPass());
  return manager;
}

// Marks loops as not to be vectorised if that would take too long.
class LeaveManyWays : public llvm::PassInfoMixin<LeaveManyWays> {
public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses) {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
      if (loop->isInnermost() && has_many_ways(*loop, order))
        llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    return llvm::PreservedAnalyses::all();
  }

private:
  static constexpr double kMost = 1e5;

  // Finds values that all work-items of a loop share, independent of their ids.
  class Shared {
  public:
    explicit Shared(const llvm::Loop& loop) : loop_(loop) {}
    void add(const llvm::BasicBlock& block) {
      for (const llvm::Instruction& value : block)
        if (!(llvm::isa<llvm::PHINode>(value) && &block == loop_.getHeader()) &&
            !llvm::isa<llvm::CallBase>(value) &&
            std::ranges::all_of(value.operands(),
                                [&](const llvm::Use& operand) { return has(operand); }))
          values_.insert(&value);
    }
    bool has(const llvm::Value* value) const {
      return loop_.isLoopInvariant(value) || llvm::isa<llvm::BasicBlock>(value) ||
             values_.contains(value);
    }

  private:
    const llvm::Loop& loop_;
    llvm::DenseSet<const llvm::Value*> values_;
  };

  static bool has_many_ways(const llvm::Loop& loop,
                            const llvm::ReversePostOrderTraversal<llvm::Function*>& order) {
    llvm::DenseMap<const llvm::BasicBlock*, double> ways;
    Shared shared(loop);
    for (const llvm::BasicBlock* block : order) {
      if (!loop.contains(block))
        continue;
      shared.add(*block);
      double sum = block == loop.getHeader() ? 1 : 0;
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
        const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
        if (block == loop.getHeader() || !loop.contains(before))
          continue;
        const bool decided =
            branch && (branch->isUnconditional() || shared.has(branch->getCondition()));
        sum += decided ? ways[before] : 1;
      }
      if (sum > kMost)
        return true;
      ways[block] = sum;
    }
    return false;
  }
};

// A function with very many calls is not inlined, because slow passes take time that grows faster
// than the code. For example, with checks of bounds and uninitialized values, a kernel with eight
// calls of texture functions has 657 accesses that a function of 141 instructions checks. Its first
// run took 6.6 s with all of them inlined, and takes 3.3 s this way. Quick code inlines little: a
// kernel with guards whose races are watched compiles in half of the time with 200 instead of
// 1,000, and launches that are long enough to notice get code of full effort.
constexpr std::size_t kMostCopied = 30'000; // instructions
constexpr std::size_t kMostCopiedQuickly = 200;

void keep_calls(llvm::Module& module, std::size_t most) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasLocalLinkage())
      continue;
    const auto calls = static_cast<std::size_t>(std::ranges::count_if(
        function.users(), [](const llvm::User* user) { return llvm::isa<llvm::CallBase>(user); }));
    if (calls * function.getInstructionCount() <= most)
      continue;
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::NoInline);
  }
}

// Variables up to this size become SSA values or cost little to write.
constexpr std::uint64_t kMostDefined = 256;

template <typename... Pass> auto on_each_function(Pass... pass) {
  llvm::FunctionPassManager each;
  (each.addPass(std::move(pass)), ...);
  return llvm::createModuleToFunctionPassAdaptor(std::move(each));
}

void optimise(llvm::Module& module) {
  // Users need not know that a loop over work-items cannot be vectorised.
  llvm::LLVMContext& context = module.getContext();
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  keep_calls(module, kMostCopied);
  Passes passes;
  if constexpr (frontend::llvm_version::kFollowsEachWay)
    passes.builder().registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager& manager, llvm::OptimizationLevel) {
          manager.addPass(LeaveManyWays());
        });
  passes.builder()
      .buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, passes.modules());
  context.setDiagnosticHandlerCallBack(nullptr);
}

// Turns variables into SSA values, inlines small functions, and removes repeated and unused
// computations: about what FastISel needs for code that does not always wait for memory.
void optimise_little(llvm::Module& module) {
  Passes passes;
  llvm::ModulePassManager before, after;
  before.addPass(on_each_function(llvm::SROAPass(llvm::SROAOptions::ModifyCFG)));
  before.run(module, passes.modules());
  keep_calls(module, kMostCopiedQuickly);
  after.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  after.addPass(on_each_function(
      llvm::SROAPass(llvm::SROAOptions::ModifyCFG), llvm::EarlyCSEPass(/*UseMemorySSA=*/false),
      llvm::InstSimplifyPass(), llvm::SimplifyCFGPass(), llvm::ADCEPass()));
  after.run(module, passes.modules());
}

std::string emit_object(llvm::Module& module, Effort effort) {
  const std::unique_ptr<llvm::TargetMachine> machine = host_machine();
  if (effort == Effort::Quick || takes_too_long(module))
    machine->setOptLevel(llvm::CodeGenOptLevel::None);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager manager;
  if (machine->addPassesToEmitFile(manager, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    throw SimulatorFailure("LLVM cannot write object code for this machine");
  manager.run(module);
  return {object.begin(), object.end()};
}

} // namespace

void simplify(llvm::Function& function) {
  Passes passes;
  llvm::FunctionPassManager manager =
      function.getInstructionCount() > kMostForAll
          ? simplify_much()
          : passes.builder().buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O2,
                                                                 llvm::ThinOrFullLTOPhase::None);
  manager.run(function, passes.functions());
}

void simplify_lightly(llvm::Function& function, bool reads_differ, bool keeps_branches) {
  Passes passes;
  llvm::FunctionPassManager manager;
  manager.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  // Must come before casts to an address space and back are removed, with which CUDA kernels begin.
  manager.addPass(llvm::InferAddressSpacesPass(0));
  if (!reads_differ)
    manager.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  manager.addPass(llvm::InstSimplifyPass());
  manager.addPass(llvm::InferAddressSpacesPass(0));
  if (keeps_branches)
    manager.addPass(llvm::DCEPass());
  else
    manager.addPass(llvm::ADCEPass());
  manager.run(function, passes.functions());
}

void define_variables(llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(function.getEntryBlock())) {
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!variable || variable->isArrayAllocation() ||
          layout.getTypeAllocSize(variable->getAllocatedType()).getFixedValue() > kMostDefined)
        continue;
      llvm::IRBuilder<> builder(instruction.getNextNode());
      builder.SetCurrentDebugLocation({});
      builder.CreateStore(llvm::Constant::getNullValue(variable->getAllocatedType()), &instruction);
    }
  }
}

void define_overflow(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.hasPoisonGeneratingFlags())
        instruction.dropPoisonGeneratingFlags();
}

void promote_variables(llvm::Function& function) {
  Passes passes;
  llvm::FunctionPassManager manager;
  manager.addPass(llvm::PromotePass());
  manager.addPass(llvm::InferAddressSpacesPass(0));
  manager.run(function, passes.functions());
}

void split_coroutines(llvm::Module& module) {
  Passes passes;
  llvm::ModulePassManager manager;
  manager.addPass(llvm::CoroEarlyPass());
  manager.addPass(
      llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::CoroSplitPass(/*OptimizeFrame=*/true)));
  manager.addPass(llvm::CoroCleanupPass());
  manager.run(module, passes.modules());
}

void run_memory_sanitizer(llvm::Module& module) {
  // In large kernels it would call functions, which do not know the place.
  auto& options = llvm::cl::getRegisteredOptions();
  if (const auto found = options.find("msan-instrumentation-with-call-threshold");
      found != options.end())
    static_cast<llvm::cl::opt<int>*>(found->second)->setValue(std::numeric_limits<int>::max());
  Passes passes;
  llvm::ModulePassManager manager;
  manager.addPass(llvm::MemorySanitizerPass(
      llvm::MemorySanitizerOptions(/*TrackOrigins=*/0, /*Recover=*/true, /*Kernel=*/false,
                                   /*EagerChecks=*/true)));
  manager.run(module, passes.modules());
}

bool is_rearrangeable(const llvm::Module& module) {
  return std::ranges::any_of(module, [](const llvm::Function& function) {
    return std::ranges::any_of(llvm::instructions(function), [](const llvm::Instruction& each) {
      return llvm::isa<llvm::FPMathOperator>(each) && each.getFastMathFlags().any();
    });
  });
}

std::string machine_code(llvm::Module& module, Effort effort) {
  module.getContext().setDiscardValueNames(true); // inlining would make one for each copy
  if (effort == Effort::Quick)
    optimise_little(module);
  else
    optimise(module);
  return emit_object(module, effort);
}

} // namespace gputest::ir
