// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-cuda: a CUDA compiler for machines without CUDA. It runs Clang with the project's own
// headers and accepts nvcc's options, too. Device code stays LLVM bitcode, for the simulator.
#include "cuda/compiler/command.h"
#include "cuda/compiler/help.h"
#include "cuda/compiler/outputs.h"
#include "cuda/compiler/steps.h"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  namespace compiler = gputest::cuda::compiler;
  try {
    const compiler::Command command = compiler::read_command({argv + 1, argv + argc});
    if (command.help)
      return compiler::print_help();
    if (!command.listed.empty())
      compiler::print_architectures(command.listed);
    else if (command.dry_run)
      compiler::print_command({argv + 1, argv + argc});
    else if (command.cleans)
      for (const std::filesystem::path& file : compiler::outputs_of(command))
        std::filesystem::remove(file);
    else
      return compiler::run(command);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gputest-cuda: error: %s\n", error.what());
    return 2;
  }
}
