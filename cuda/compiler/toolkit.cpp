// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/toolkit.h"

#include "model/files.h"

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

} // namespace gputest::cuda::compiler
