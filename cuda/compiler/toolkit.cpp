// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/toolkit.h"

#include "model/files.h"
#include "process/command.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace gputest::cuda::compiler {
namespace fs = std::filesystem;

Toolkit find_toolkit() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  Toolkit toolkit;
  toolkit.root = program.parent_path().parent_path();
  if (!fs::exists(toolkit.root / "include" / "cuda_runtime.h"))
    throw std::runtime_error(program.string() +
                             " is not in the bin/ of its toolkit, whose include/ it needs");
  // The file has the simulator's path, relative to bin/.
  std::string line;
  std::ifstream stream(toolkit.root / "bin" / "gputest-simulator.path");
  std::getline(stream, line);
  toolkit.simulator = (toolkit.root / "bin" / line).lexically_normal();
  toolkit.clang = model::file_of_others("GPUTEST_CLANG", "bin/clang++", GPUTEST_CLANG);
  return toolkit;
}

bool is_loaded(const Toolkit& toolkit, const std::string& argument) {
  const fs::path libraries = toolkit.root / "lib64";
  std::string name = "lib" + argument.substr(std::min<std::size_t>(2, argument.size())) + ".so";
  if (!argument.starts_with("-l")) {
    const fs::path path(argument);
    if (path.parent_path() != libraries)
      return false;
    name = path.filename();
  }
  if (const auto end = name.find("_static."); end != std::string::npos)
    name = name.substr(0, end) + ".so";
  return name == "libnvrtc.so" || (!name.starts_with("libcuda") && fs::exists(libraries / name));
}

bool is_driver(const std::string& argument) {
  return argument == "-lcuda" || fs::path(argument).filename().string().starts_with("libcuda.so");
}

bool has_lld(const Toolkit& toolkit) {
  std::error_code error;
  const fs::path clang = fs::canonical(toolkit.clang, error);
  return (!error && fs::exists(clang.parent_path() / "ld.lld")) ||
         process::find_program("ld.lld").has_value();
}

} // namespace gputest::cuda::compiler
