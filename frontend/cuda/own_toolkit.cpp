// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/own_toolkit.h"

#include "frontend/cuda/references.h"
#include "frontend/cuda/toolkit.h"
#include "model/files.h"

#include <cstdlib>
#include <filesystem>

namespace gputest::frontend {

namespace fs = std::filesystem;

static fs::path find_toolkit() {
  if (const char* const named = std::getenv("GPUTEST_CUDA_TOOLKIT"); named && *named)
    return named;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  // Installed, built, and built in a folder for the configuration.
  for (const char* place : {GPUTEST_TOOLKIT_INSTALLED, "../cuda/toolkit", "../../cuda/toolkit"})
    if (fs::path root = (folder / place).lexically_normal();
        fs::exists(root / "include" / "cuda_runtime.h"))
      return root;
  return {};
}

llvm::Expected<CudaOptions> cuda_options(const SourceOptions& options) {
  const fs::path root = find_toolkit();
  if (root.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "%s: error: %s files are read with headers of GpuTestCheck's own, which are not beside "
        "this program; set the environment variable GPUTEST_CUDA_TOOLKIT to the folder that has "
        "them in include/",
        options.file.c_str(), model::row_of(fs::path(options.file)).name.data());
  CudaOptions cuda{.file = options.file,
                   .arguments = cuda::arguments_with_toolkit(
                       model::file_of_others("GPUTEST_CLANG", "bin/clang++", GPUTEST_CLANG),
                       root.string(), model::row_of(std::filesystem::path(options.file))),
                   .appended = options.appended,
                   .kernel = options.kernel,
                   .source_root = options.source_root,
                   .headers = (root / "include").string() + "/"};
  if (cuda::has_references(options.file, options.include_directories))
    for (const std::string& argument : cuda::arguments_for_references())
      cuda.arguments.push_back(argument);
  if (options.cl_std.starts_with("c++"))
    cuda.arguments.push_back("-std=" + options.cl_std);
  for (const std::string& definition : options.definitions)
    cuda.arguments.push_back("-D" + definition);
  for (const std::string& folder : options.include_directories)
    cuda.arguments.push_back("-I" + folder);
  return cuda;
}

} // namespace gputest::frontend
