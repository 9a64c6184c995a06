#include "frontend/cuda/compilation.h"

#include "frontend/clang_run.h"
#include "frontend/llvm_version.h"

#include <clang/Basic/SourceManager.h>

#include <tuple>

namespace gputest::passes {

llvm::Expected<std::vector<std::string>> compiler_arguments(const CudaOptions& options) {
  std::vector<std::string> driver = options.arguments;
  driver.insert(driver.end(), {"--cuda-device-only", "-fsyntax-only", "-w", options.file});
  std::vector<const char*> raw;
  raw.reserve(driver.size());
  for (const std::string& argument : driver)
    raw.push_back(argument.c_str());
  Messages messages(
      [](clang::SourceLocation, const clang::SourceManager&) { return std::string(); });
  const auto diagnostics = llvm_version::diagnostics_engine(messages);
  std::vector<std::string> arguments;
  clang::CreateInvocationOptions how;
  how.Diags = diagnostics;
  how.CC1Args = &arguments;
  if (!clang::createInvocation(raw, std::move(how)))
    return messages.as_error();
  if (!arguments.empty() && arguments.front() == "-cc1")
    arguments.erase(arguments.begin());
  return arguments;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> in_place_of_file(const CudaOptions& options,
                                                                 llvm::StringRef text) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (const auto here = llvm::vfs::getRealFileSystem()->getCurrentWorkingDirectory())
    std::ignore = memory->setCurrentWorkingDirectory(*here); // names may be relative; it takes any
  memory->addFile(options.file, 0, llvm::MemoryBuffer::getMemBufferCopy(text, options.file));
  auto files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  return files;
}

} // namespace gputest::passes
