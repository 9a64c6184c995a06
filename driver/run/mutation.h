// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run --mutation: finds out whether a program notices changes of its kernels.
#pragma once

#include "driver/program_arguments.h"
#include "model/settings.h"
#include "program/mutation.h"
#include "program/wanted.h"

#include <filesystem>
#include <functional>

namespace gputest::driver {

// Throws CommandError.
void check_mutation_run(const model::Settings& settings, const cxxopts::ParseResult& arguments);

// Runs the program, writes <output>/mutation.json, and reports. Returns the exit code. 1: the
// program fails without a mutant, or the score is below the threshold. 77: the program ends with 77
// before it has launched anything.
int run_mutation(const ProgramRun& prepared, const model::Settings& settings,
                 const cxxopts::ParseResult& arguments);

// Returns the mutants that the settings ask for. Throws CommandError.
program::WantedMutants wanted_mutants(const model::Settings& settings);

// Returns the store that --store names; else that in the folder of results.
std::filesystem::path store_of(const std::filesystem::path& output,
                               const model::Settings& settings);

struct MutantReport {
  std::filesystem::path output; // the folder of results
  // What is printed before the report, and behind it.
  std::function<void()> before{};
  std::function<void(const program::MutatedRuns&)> after{};
};
// The same for a program of any kind, within --time-limit. Throws what program::run_mutants()
// throws.
int run_mutants_of(program::MutatedProgram& mutants, program::EngineSettings engine,
                   const MutantReport& report, const model::Settings& settings,
                   const cxxopts::ParseResult& arguments);

} // namespace gputest::driver
