// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest run: runs a CUDA program that gputest-cuda built, in the simulator or on a GPU.
#pragma once

#include "driver/program_arguments.h"
#include "model/programs/oracle.h"
#include "model/settings.h"
#include "program/child.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <optional>
#include <string>

namespace gputest::driver {

struct CudaRun {
  std::filesystem::path output; // --output, absolute: where results go
  std::string name;
  program::ChildSettings child;
  bool quiet = false;           // --no-terminal
  std::string device;           // --device
  std::filesystem::path tables; // --tables; empty: where the compiler put them
  model::Oracle oracle{};       // --oracle
};

// The options of `gputest run` that are for CUDA programs alone. The latter throws CommandError
// where one of them is given.
void add_cuda_options(cxxopts::Options& options);
void refuse_cuda_options(const cxxopts::ParseResult& arguments);

// What is done for an analysis of a CUDA program.
struct CudaAnalysis {
  // Throws CommandError for wrong settings and options, before anything is made; nullptr: none can
  // be wrong.
  void (*refuse)(const model::Settings& settings, const cxxopts::ParseResult& arguments) = nullptr;
  int (*run)(const CudaRun& run, const model::Settings& settings,
             const cxxopts::ParseResult& arguments) = nullptr; // nullptr: not for CUDA programs
};

// Runs a CUDA program, for the analysis that is asked for, whose row `analysis` is. Throws
// CommandError, also for options that are for OpenCL programs.
int run_cuda(const cxxopts::ParseResult& arguments, const ProgramCommand& command,
             const std::optional<model::Settings>& settings, const CudaAnalysis& analysis);

// Returns the settings of a run of the program. `variant` of its device code runs, and records go
// to `records`, which is made or emptied.
program::ChildSettings child_with(const CudaRun& run, const std::string& variant,
                                  const std::filesystem::path& records);

// Returns whether there is no device for the program, which then has said so.
bool lacks_device(const CudaRun& run);

// Returns what is wrong where a program has recorded nothing. `keyword`: of
// gputest_add_cuda_program().
std::string nothing_recorded(const CudaRun& run, const std::string& keyword);

int run_cuda_coverage(const CudaRun& run, const model::Settings& settings,
                      const cxxopts::ParseResult& arguments);

int run_cuda_check(const CudaRun& run, const model::Settings& settings,
                   const cxxopts::ParseResult& arguments);

void check_cuda_schedules(const model::Settings& settings, const cxxopts::ParseResult& arguments);
int run_cuda_schedules(const CudaRun& run, const model::Settings& settings,
                       const cxxopts::ParseResult& arguments);

void check_cuda_mutation(const model::Settings& settings, const cxxopts::ParseResult& arguments);
int run_cuda_mutation(const CudaRun& run, const model::Settings& settings,
                      const cxxopts::ParseResult& arguments);

} // namespace gputest::driver
