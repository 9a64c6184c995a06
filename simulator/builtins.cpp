#include "simulator/builtins.h"

#include "simulator/error.h"

#include <cstdlib>
#include <fmt/format.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

namespace gputest::simulator {

std::string libclc_file() {
  const char* const chosen = std::getenv("GPUTEST_LIBCLC");
  return chosen && *chosen ? chosen : GPUTEST_LIBCLC;
}

void link_builtins(llvm::Module& module) {
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
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure(fmt::format("{}: error: cannot be linked", libclc_file()));
}

} // namespace gputest::simulator
