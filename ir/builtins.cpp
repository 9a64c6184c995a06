#include "ir/builtins.h"

#include "embedded/copies_cl.h"
#include "embedded/images_cl.h"
#include "ir/error.h"
#include "ir/frontend.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

namespace gputest::simulator {
namespace {

bool calls_any(const llvm::Module& module, std::initializer_list<const char*> words) {
  return std::ranges::any_of(module, [&](const llvm::Function& function) {
    return function.isDeclaration() && function.getName().starts_with("_Z") &&
           std::ranges::any_of(words,
                               [&](const char* word) { return function.getName().contains(word); });
  });
}

void link_own(llvm::Module& module, const char* name, std::string_view text,
              const std::string& cl_std) {
  CompiledSource own = compile({.name = name,
                                .text = std::string(text),
                                .definitions = {},
                                .include_directories = {},
                                .options = {},
                                .cl_std = cl_std},
                               module.getContext());
  llvm::StripDebugInfo(*own.module); // places are those of the calls
  if (llvm::Linker::linkModules(module, std::move(own.module), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure(fmt::format("the simulator's functions of {} cannot be linked", name));
}

} // namespace

std::string libclc_file() {
  const char* const chosen = std::getenv("GPUTEST_LIBCLC");
  return chosen && *chosen ? chosen : GPUTEST_LIBCLC;
}

void link_builtins(llvm::Module& module, const std::string& cl_std, bool whole_copies) {
  if (calls_any(module, {"read_image", "write_image", "get_image_"}))
    link_own(module, "images.cl", embedded::images_cl, cl_std);
  if (whole_copies && calls_any(module, {"async_work_group_", "wait_group_events"}))
    link_own(module, "copies.cl", embedded::copies_cl, cl_std);
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(libclc_file(), error, module.getContext());
  if (!library)
    throw SimulatorFailure(fmt::format(
        "{}: error: {}; OpenCL's built-in functions come from libclc (Debian: libclc-19): install "
        "it, or set GPUTEST_LIBCLC to its nvptx64--.bc",
        libclc_file(), error.getMessage().str()));
  library->setDataLayout(module.getDataLayout());
  library->setTargetTriple(module.getTargetTriple());
  // libclc takes all groups to be full: the simulator answers these itself (work_items.h).
  for (const char* name : {"_Z13get_global_idj", "_Z15get_global_sizej"})
    if (llvm::Function* const function = library->getFunction(name))
      function->deleteBody();
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure(fmt::format("{}: error: cannot be linked", libclc_file()));
}

} // namespace gputest::simulator
