// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of subcommands that run a program under test.
#pragma once

#include "program/kind.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gputest::driver {

// A command line, split at "--".
struct ProgramCommand {
  std::vector<char*> options;       // argv[0] and what comes before "--"
  std::vector<std::string> command; // what comes after "--"
};
ProgramCommand split_command(int argc, char** argv);

// Adds --output, --name, --timeout and --source-root.
void add_program_options(cxxopts::Options& options);

// Adds options of a kind. given_options() returns those that are given, and --device.
void add_kind_options(cxxopts::Options& options, std::span<const program::KindOption> kind,
                      const std::string& group = "");
program::GivenOptions given_options(const cxxopts::ParseResult& arguments,
                                    std::span<const program::KindOption> kind);

// Returns what the command line asks for, without an oracle. Throws CommandError where there is no
// such program.
program::ProgramTask task_of(const cxxopts::ParseResult& arguments, const ProgramCommand& command);
// The same for a command, with defaults.
program::ProgramTask task_of(std::vector<std::string> command, const std::string& name,
                             const std::filesystem::path& output);

} // namespace gputest::driver
