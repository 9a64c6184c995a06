// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options and settings of subcommands that run a program under the layer.
#pragma once

#include "model/programs/oracle.h"
#include "program/child.h"
#include "program/opencl/run_folder.h"
#include "program/output_lock.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gputest::driver {

// A command line, split at "--".
struct ProgramCommand {
  std::vector<char*> options;       // argv[0] and what comes before "--"
  std::vector<std::string> command; // what comes after "--"
};
ProgramCommand split_command(int argc, char** argv);

// Adds --output, --kernels, --name, --timeout, --cache.
void add_program_options(cxxopts::Options& options);

struct ProgramRun {
  std::filesystem::path output;     // --output, absolute
  std::filesystem::path run_folder; // below it
  std::unique_ptr<program::OutputLock> lock;
  std::string name;
  program::RunSettings settings;
  program::ChildSettings child;
  model::Oracle oracle{};
};

// Checks everything, waits for other commands that work in --output, and writes the run folder.
// Throws CommandError.
ProgramRun prepare_program(const cxxopts::ParseResult& arguments, const ProgramCommand& command);

} // namespace gputest::driver
