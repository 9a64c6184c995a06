// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/generation/editor.h"

#include "driver/command_error.h"
#include "embedded/extensions_json.h"
#include "embedded/launch_json.h"
#include "embedded/settings_json.h"
#include "embedded/tasks_json.h"
#include "frontend/cuda/own_toolkit.h"
#include "model/files.h"

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// Returns a flag as YAML has it in a list.
std::string quoted(const std::string& flag) {
  std::string text = "'";
  for (const char letter : flag)
    text += letter == '\'' ? std::string("''") : std::string(1, letter);
  return text + "'";
}

// Returns what clangd must know about files with these endings: "cu|cuh". `more`: lines of the same
// part.
std::string clangd_part(std::string_view endings, const std::vector<std::string>& flags,
                        std::string_view more = "") {
  std::string list;
  for (const std::string& flag : flags)
    list += fmt::format("{}{}", list.empty() ? "" : ",\n    ", quoted(flag));
  return fmt::format("If:\n  PathMatch: .*\\.({})\nCompileFlags:\n"
                     "  CompilationDatabase: build/gputest\n  Compiler: clang++\n{}  Add: [{}]\n",
                     endings, more, list);
}

// Returns the flags with which a file of CUDA is read, of which no build has recorded options.
std::vector<std::string> cuda_flags(const std::string& file) {
  frontend::SourceOptions source;
  source.file = file;
  llvm::Expected<frontend::CudaOptions> options = frontend::cuda_options(source);
  if (!options)
    throw CommandError(llvm::toString(options.takeError()));
  return {options->arguments.begin() + 1, options->arguments.end()}; // without the compiler
}

std::string clangd() {
  // A file without an entry in the build's list gets the flags of another, which may be OpenCL C.
  constexpr std::string_view kRemoved = "  Remove: ['-cl-std=*']\n";
  return "# clangd reads kernels with these flags. gputest init --vscode has written them for the\n"
         "# installation that it is of; delete the file to have it written again.\n" +
         clangd_part("cl|clh|clc|ocl|opencl", {"-xcl"}) + "---\n" +
         clangd_part("cu|cuh", cuda_flags("kernels.cu"), kRemoved) + "---\n" +
         clangd_part("hip", cuda_flags("kernels.hip"), kRemoved);
}

} // namespace

void write_editor_files(const fs::path& folder) {
  const std::vector<std::pair<std::string_view, std::string>> files{
      {".vscode/tasks.json", std::string(embedded::tasks_json)},
      {".vscode/launch.json", std::string(embedded::launch_json)},
      {".vscode/settings.json", std::string(embedded::settings_json)},
      {".vscode/extensions.json", std::string(embedded::extensions_json)},
      {".clangd", clangd()},
  };
  fs::create_directories(folder / ".vscode");
  for (const auto& [name, text] : files) {
    const fs::path file = folder / name;
    if (fs::exists(fs::symlink_status(file))) {
      fmt::print("{}: stays as it is\n", file.string());
      continue;
    }
    model::write_atomically(file, text);
    fmt::print("{}: written\n", file.string());
  }
}

} // namespace gputest::driver
