// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/equivalence/compiled_cuda.h"

#include "frontend/clang_run.h"
#include "frontend/cuda/compilation.h"
#include "frontend/cuda/named_kernel.h"
#include "frontend/llvm_version.h"
#include "passes/equivalence/defined.h"
#include "passes/equivalence/value_ranges.h"

#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <set>

namespace gputest::passes {
namespace {

// The function that tells whether one of several mutants is active: gputest_any(site, first, count)
// of templates/mutants.cuh.
constexpr llvm::StringRef kAny = "gputest_any";
constexpr llvm::StringRef kIs = "gputest_is";

// Metadata of a module: other units can call its functions.
constexpr llvm::StringRef kRelocatable = "gputest.relocatable";

// The functions and variables that `from` uses, directly or indirectly.
class Reached {
public:
  explicit Reached(const llvm::Function& from) { add(from); }

  std::vector<unsigned> numbers() const { return {numbers_.begin(), numbers_.end()}; }

private:
  void add(const llvm::Value& value) {
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(&value);
    if (!constant || !known_.insert(constant).second)
      return;
    for (const llvm::Use& use : constant->operands()) // parts, and initial values
      add(*use);
    const auto* const function = llvm::dyn_cast<llvm::Function>(constant);
    if (!function)
      return;
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      for (const llvm::Use& use : instruction.operands())
        add(*use);
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        note(*call);
    }
  }

  void note(const llvm::CallBase& call) {
    const llvm::Function* const callee = call.getCalledFunction();
    if (!callee)
      return;
    const bool any = callee->getName().contains(kAny) && call.arg_size() == 3;
    if (!any && !(callee->getName().contains(kIs) && call.arg_size() == 1))
      return;
    const auto number = [&](unsigned at) -> unsigned {
      const auto* const one = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(at));
      return one ? static_cast<unsigned>(one->getZExtValue()) : 0;
    };
    const unsigned first = number(any ? 1 : 0), count = any ? number(2) : 1;
    for (unsigned i = 0; first > 0 && i < count; ++i)
      numbers_.insert(first + i);
  }

  llvm::SmallPtrSet<const llvm::Constant*, 32> known_;
  std::set<unsigned> numbers_;
};

std::string place(clang::SourceLocation location, const clang::SourceManager& sources) {
  const clang::PresumedLoc at = sources.getPresumedLoc(sources.getFileLoc(location));
  return at.isInvalid() ? ""
                        : std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ":" +
                              std::to_string(at.getColumn());
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> compile_cuda_text(const std::string& text,
                                                                frontend::CudaOptions options,
                                                                bool relocatable,
                                                                llvm::LLVMContext& context) {
  // The author's flags come first. Optimisation is left for later; without -O2 Clang would forbid
  // it.
  for (const char* argument :
       {"-O2", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers",
        "-DGPUTEST_PURE", "-fwrapv", "-fno-finite-loops", "-fno-strict-aliasing",
        "-fno-strict-float-cast-overflow", "-fno-delete-null-pointer-checks", "-fno-fast-math",
        "-ffp-contract=off", "-g0"})
    options.arguments.emplace_back(argument);
  for (const std::string& argument : frontend::llvm_version::wrapping_pointers())
    options.arguments.push_back(argument);
  frontend::Messages messages(place);
  clang::EmitLLVMOnlyAction action(&context);
  const std::string whole = text + frontend::reference_to(options.kernel);
  if (llvm::Error error = frontend::read_as_nvcc(options, &whole, [&]() -> llvm::Error {
        auto arguments = frontend::compiler_arguments(options);
        if (!arguments)
          return arguments.takeError();
        messages = frontend::Messages(place);
        return frontend::run_clang(*arguments, frontend::in_place_of_file(options, whole), messages,
                                   action);
      }))
    return error;
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!module)
    return messages.as_error();
  add_ranges(*module);
  // Unused functions can then be removed.
  for (const char* name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* const used = module->getNamedGlobal(name))
      used->eraseFromParent();
  define(*module);
  for (llvm::Function& function : *module)
    if (!function.isDeclaration())
      give_variables_values(function);
  if (relocatable)
    module->getOrInsertNamedMetadata(kRelocatable);
  return module;
}

std::map<std::string, std::vector<unsigned>> entries(const llvm::Module& module) {
  const bool relocatable = module.getNamedMetadata(kRelocatable) != nullptr;
  const auto kernels = frontend::llvm_version::cuda_kernels(module);
  std::map<std::string, std::vector<unsigned>> found;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() && (kernels.contains(&function) || function.hasAddressTaken() ||
                                      (relocatable && !function.hasLocalLinkage())))
      found[function.getName().str()] = Reached(function).numbers();
  }
  return found;
}

} // namespace gputest::passes
