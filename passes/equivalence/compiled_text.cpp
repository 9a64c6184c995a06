// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/equivalence/compiled_text.h"

#include "frontend/clang_run.h"
#include "frontend/llvm_version.h"
#include "passes/equivalence/defined.h"
#include "passes/equivalence/value_ranges.h"

#include <clang/CodeGen/CodeGenAction.h>
#include <llvm/Config/llvm-config.h>

#include <algorithm>
#include <vector>

namespace gputest::passes {
namespace {

void correct(llvm::Module& module) {
  add_ranges(module);
  for (llvm::Function& function : module) {
    // Work-items share what `restrict` points to. Compilers would not read it again after a
    // barrier.
    for (llvm::Argument& argument : function.args())
      argument.removeAttr(llvm::Attribute::NoAlias);
    if (!function.isDeclaration())
      give_variables_values(function);
    else if (function.doesNotAccessMemory())
      change_function_and_calls(function,
                                [](auto& one) { one.removeFnAttr(llvm::Attribute::Convergent); });
  }
  // An event must happen, but does not access the kernel's memory.
  if (llvm::Function* event = module.getFunction("gputest_event"))
    change_function_and_calls(*event, [](auto& one) {
      one.removeFnAttr(llvm::Attribute::Convergent);
      one.addFnAttr(llvm::Attribute::NoUnwind);
      one.addFnAttr(llvm::Attribute::WillReturn);
      one.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    });
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::Module>>
compile_text(const std::string& text, const std::string& cl_std, llvm::LLVMContext& context) {
  // OpenCL C 1.0 and 1.1 have no `extern`, which the active mutant has (templates/mutants.cl).
  constexpr const char* kOldest = "CL1.2";
  std::vector<std::string> arguments =
      frontend::common_arguments(std::max<std::string>(cl_std, kOldest));
  // Optimisation is left for later. Without -O2, Clang would forbid it.
  arguments.insert(arguments.end(),
                   {"-emit-llvm", "-O2", "-disable-llvm-passes", "-discard-value-names",
                    "-DGPUTEST_PURE", "-fwrapv", "-fno-finite-loops", "-relaxed-aliasing",
                    "-disable-lifetime-markers", "-fno-strict-float-cast-overflow"});
  std::ranges::move(frontend::llvm_version::wrapping_pointers(), std::back_inserter(arguments));
  const auto files = frontend::as_file(text, arguments);
  frontend::Messages messages(
      [](clang::SourceLocation location, const clang::SourceManager& sources) {
        const clang::PresumedLoc place = sources.getPresumedLoc(location);
        return place.isValid()
                   ? std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) +
                         ":" + std::to_string(place.getColumn())
                   : std::string();
      });
  clang::EmitLLVMOnlyAction action(&context);
  if (llvm::Error error = frontend::run_clang(arguments, files, messages, action))
    return error;
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!module)
    return messages.as_error();
  frontend::llvm_version::join_kernels(*module);
  correct(*module);
  return module;
}

} // namespace gputest::passes
