// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/openmp.h"

#include "cuda/compiler/process.h"
#include "model/files.h"
#include "process/scratch_folder.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;

// Clang's library, under its name in LLVM's folder, or in the system's. It has the functions of
// GCC's, too.
std::optional<fs::path> find_library(const Toolkit& toolkit) {
  const process::ScratchFolder folder("gputest-cuda");
  const std::string answer = (folder.path() / "file").string();
  for (const char* name : {"libomp.so", "libomp5.so"}) {
    if (start_quietly({toolkit.clang, std::string("-print-file-name=") + name}, answer, false) != 0)
      continue;
    std::string file = model::read_text(answer).value_or("");
    file.erase(std::min(file.find('\n'), file.size()));
    if (fs::path(file).is_absolute() && fs::exists(file))
      return file;
  }
  return std::nullopt;
}

bool is_library_of_openmp(const std::string& argument) {
  return argument == "-lgomp" || argument == "-lomp" || argument == "-liomp5";
}

} // namespace

Command with_openmp(Command command, const Toolkit& toolkit) {
  const bool is_linked = std::erase_if(command.others, is_library_of_openmp) != 0;
  if (!command.openmp && !is_linked)
    return command;
  const std::optional<fs::path> library = find_library(toolkit);
  if (!library) {
    if (command.openmp && (!command.sources.empty() || command.action == Action::Compile))
      std::cerr << "gputest-cuda: warning: -fopenmp has no effect, and one thread does all the "
                   "work: Clang's library for OpenMP is not installed (Debian and Ubuntu: "
                   "libomp-19-dev)\n";
    command.link.emplace_back("-lgomp");
    return command;
  }
  if (command.openmp) {
    command.compile.insert(command.compile.end(), {"-Xclang", "-fopenmp"});
    // Device code has the same text. From 201811 on, omp.h needs pragmas that only host code has.
    command.device.emplace_back("-D_OPENMP=201511");
  }
  command.link.insert(command.link.end(),
                      {library->string(), "-Wl,-rpath," + library->parent_path().string()});
  return command;
}

} // namespace gputest::cuda::compiler
