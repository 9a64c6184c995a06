// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a command writes, and what is done with --dryrun and its like instead.
#pragma once

#include "cuda/compiler/command.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// What a source becomes: -o, or its name with this ending in the folder of -odir.
std::filesystem::path output_of(const Command& command, const std::string& source,
                                const std::string& ending);

// All of them, the rule of dependencies too.
std::vector<std::filesystem::path> outputs_of(const Command& command);

// Prints the command as nvcc prints those that it would start.
void print_command(const std::vector<std::string>& arguments);

// Prints the GPUs of nvcc 12.5, each after "sm_" or "compute_".
void print_architectures(const std::string& kind);

} // namespace gputest::cuda::compiler
