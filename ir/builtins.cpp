#include "ir/builtins.h"

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

bool needs_images(const llvm::Module& module) {
  return std::ranges::any_of(module, [](const llvm::Function& function) {
    return function.isDeclaration() && function.getName().starts_with("_Z") &&
           (function.getName().contains("read_image") ||
            function.getName().contains("write_image") ||
            function.getName().contains("get_image_"));
  });
}

void link_images(llvm::Module& module, const std::string& cl_std) {
  CompiledSource images = compile({.name = "images.cl",
                                   .text = std::string(embedded::images_cl),
                                   .definitions = {},
                                   .include_directories = {},
                                   .options = {},
                                   .cl_std = cl_std},
                                  module.getContext());
  llvm::StripDebugInfo(*images.module); // places are those of the calls
  if (llvm::Linker::linkModules(module, std::move(images.module), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure("the simulator's image functions cannot be linked");
}

} // namespace

std::string libclc_file() {
  const char* const chosen = std::getenv("GPUTEST_LIBCLC");
  return chosen && *chosen ? chosen : GPUTEST_LIBCLC;
}

void link_builtins(llvm::Module& module, const std::string& cl_std) {
  if (needs_images(module))
    link_images(module, cl_std);
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
