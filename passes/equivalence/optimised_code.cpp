// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/equivalence/optimised_code.h"

#include "passes/equivalence/defined.h"
#include "passes/equivalence/value_ranges.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <span>

namespace gputest::passes {
namespace {

constexpr const char* kActive = "gputest_active"; // templates/mutants.cl

// A function is not inlined if all its copies together would be larger than this.
constexpr std::size_t kMostInlined = 20000; // instructions

// A range of mutants is split into this many smaller ranges at a time.
constexpr std::size_t kParts = 8;

std::vector<llvm::LoadInst*> loads_of_active(llvm::Module& module) {
  std::vector<llvm::LoadInst*> result;
  const auto add = [&](const auto& self, llvm::Value& address) -> void {
    for (llvm::User* user : address.users())
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
        result.push_back(load);
      else if (auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(user)) // of the address space
        self(self, *cast);
  };
  if (llvm::GlobalVariable* active = module.getNamedGlobal(kActive))
    add(add, *active);
  return result;
}

// Decides comparisons of `value`, which is in `range`.
void narrow(llvm::Value& value, const llvm::ConstantRange& range) {
  for (llvm::User* user : llvm::make_early_inc_range(value.users())) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (!instruction || instruction->getNumOperands() != 2 || instruction->getOperand(0) != &value)
      continue;
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
    if (!constant)
      continue;
    if (instruction->getOpcode() == llvm::Instruction::Sub) {
      narrow(*instruction, range.sub(constant->getValue()));
    } else if (instruction->getOpcode() == llvm::Instruction::Add) {
      narrow(*instruction, range.add(constant->getValue()));
    } else if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(instruction)) {
      const llvm::ConstantRange other(constant->getValue());
      if (range.icmp(compare->getPredicate(), other))
        instruction->replaceAllUsesWith(llvm::ConstantInt::getTrue(instruction->getType()));
      else if (range.icmp(compare->getInversePredicate(), other))
        instruction->replaceAllUsesWith(llvm::ConstantInt::getFalse(instruction->getType()));
    }
  }
}

// Rare paths (GPUTEST_RARE) must not be inlined before most of them are gone.
bool is_rare(const llvm::Function& function) {
  return !function.isDeclaration() && function.getName().starts_with("gputest_") &&
         function.hasFnAttribute(llvm::Attribute::NoInline);
}

// The number of instructions of a function, with those inlined into it. Decides what is inlined.
std::size_t plan_inlining(llvm::Function& function, std::map<llvm::Function*, std::size_t>& sizes) {
  const auto [entry, is_new] = sizes.try_emplace(&function, 0);
  if (!is_new)
    return entry->second;
  std::size_t size = function.getInstructionCount();
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (llvm::Function* callee = call->getCalledFunction();
            callee && !callee->isDeclaration() && !is_rare(*callee)) {
          const std::size_t inlined = plan_inlining(*callee, sizes);
          size += callee->hasFnAttribute(llvm::Attribute::AlwaysInline) ? inlined : 0;
        }
  if (!is_rare(function)) {
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (size * function.getNumUses() <= kMostInlined)
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  return sizes[&function] = size;
}

// `module` with only one kernel, and what that kernel uses.
std::unique_ptr<llvm::Module> only(const llvm::Module& module, const std::string& kernel) {
  std::unique_ptr<llvm::Module> result = llvm::CloneModule(module);
  for (llvm::Function& function : *result)
    if (!function.isDeclaration() && function.getName() != kernel)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  std::map<llvm::Function*, std::size_t> sizes;
  for (llvm::Function& function : *result)
    if (!function.isDeclaration())
      plan_inlining(function, sizes);
  return result;
}

} // namespace

// One set of passes and of analyses for all modules.
//
// No pass sees the module as a whole, because what it could learn about __local variables holds
// only for one work-item.
class Optimiser::Passes {
public:
  Passes() : builder_(nullptr, tuning()) {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);

    llvm::FunctionPassManager tidy;
    add_variables(tidy);
    tidy.addPass(llvm::EarlyCSEPass());
    tidy.addPass(llvm::SimplifyCFGPass());
    prepare_.addPass(llvm::GlobalDCEPass());
    prepare_.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
    prepare_.addPass(llvm::GlobalDCEPass());
    prepare_.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(tidy)));

    add_fold(separate_);
    separate_.addPass(llvm::GlobalDCEPass());

    add_fold(optimise_);
    optimise_.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
    optimise_.addPass(llvm::GlobalDCEPass());
    // This runs before loops get another form, which depends on their comparisons.
    llvm::FunctionPassManager compare;
    add_variables(compare);
    compare.addPass(llvm::EarlyCSEPass());
    compare.addPass(llvm::InstCombinePass());
    compare.addPass(llvm::SimplifyCFGPass());
    compare.addPass(UniformComparisons());
    optimise_.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(compare)));
    optimise_.addPass(
        llvm::createModuleToFunctionPassAdaptor(builder_.buildFunctionSimplificationPipeline(
            llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None)));
    optimise_.addPass(llvm::GlobalDCEPass());
  }

  void prepare(llvm::Module& module) { run(prepare_, module); }   // of all mutants
  void separate(llvm::Module& module) { run(separate_, module); } // some mutants are gone
  void optimise(llvm::Module& module) { run(optimise_, module); } // one mutant is left

private:
  // Longer and faster code is no better for comparing.
  static llvm::PipelineTuningOptions tuning() {
    llvm::PipelineTuningOptions options;
    options.LoopUnrolling = false;
    options.LoopInterleaving = false;
    options.LoopVectorization = false;
    options.SLPVectorization = false;
    return options;
  }

  // In rounds: once a pointer's object is known, another variable may need no memory, and so on.
  static void add_variables(llvm::FunctionPassManager& passes) {
    constexpr unsigned kPointersToPointers = 3;
    for (unsigned i = 0; i < kPointersToPointers; ++i) {
      passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
      passes.addPass(ForgetKnown());
    }
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  }

  static void add_fold(llvm::ModulePassManager& passes) {
    llvm::FunctionPassManager fold;
    fold.addPass(llvm::SCCPPass());
    fold.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(fold)));
  }

  void run(llvm::ModulePassManager& passes, llvm::Module& module) {
    passes.run(module, modules_);
    // Otherwise analyses survive their module.
    loops_.clear();
    functions_.clear();
    components_.clear();
    modules_.clear();
  }

  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
  llvm::ModulePassManager prepare_, separate_, optimise_;
};

Optimiser::Optimiser() : passes_(std::make_unique<Passes>()) {}
Optimiser::~Optimiser() = default;

std::map<unsigned, CodeDigest> Optimiser::optimise(const llvm::Module& module,
                                                   const std::string& kernel,
                                                   const std::vector<unsigned>& numbers,
                                                   WorkLimit& limit) {
  std::map<unsigned, CodeDigest> result;
  const auto finish = [&](llvm::Module& one, unsigned number) {
    for (llvm::LoadInst* load : loads_of_active(one)) {
      load->replaceAllUsesWith(llvm::ConstantInt::get(load->getType(), number));
      load->eraseFromParent();
    }
    for (llvm::Function& function : one)
      if (is_rare(function)) {
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.addFnAttr(llvm::Attribute::AlwaysInline);
      }
    limit.optimised(one);
    passes_->optimise(one);
    const std::optional<std::string> text = code_.text(one);
    result[number] =
        text ? CodeDigest(llvm::SHA256::hash(llvm::arrayRefFromStringRef(*text))) : std::nullopt;
  };
  // Each mutant needs only its own code, and copying all the code would take longer than optimising
  // what is left. So the code of a few mutants is copied for fewer, and so on.
  const auto separate = [&](const auto& self, const llvm::Module& some,
                            std::span<const unsigned> these) -> void {
    const std::size_t part = (these.size() + kParts - 1) / kParts;
    for (std::size_t at = 0; at < these.size(); at += part) {
      if (limit.over())
        return;
      const auto fewer = these.subspan(at, std::min(part, these.size() - at));
      const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(some);
      limit.copied(*copy);
      if (fewer.size() == 1) {
        finish(*copy, fewer.front());
        continue;
      }
      const llvm::ConstantRange range(llvm::APInt(32, fewer.front()),
                                      llvm::APInt(32, fewer.back()) + 1);
      for (llvm::LoadInst* load : loads_of_active(*copy))
        narrow(*load, range);
      passes_->separate(*copy);
      self(self, *copy, fewer);
    }
  };
  const std::unique_ptr<llvm::Module> all = only(module, kernel);
  passes_->prepare(*all);
  separate(separate, *all, numbers);
  return result;
}

} // namespace gputest::passes
