// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what `gputest run`, `gputest run-cuda` and `gputest report` do for each analysis
// (model/analyses.h).
#pragma once

#include "driver/command_error.h"
#include "driver/cuda/run.h"
#include "driver/program_arguments.h"
#include "driver/report/files.h"
#include "model/settings.h"
#include "report/index/summary.h"

#include <string_view>

namespace gputest::driver {

struct AnalysisCommand {
  std::string_view name{};
  // Throws CommandError for wrong settings and options, before anything is made; nullptr: none can
  // be wrong.
  void (*check)(const model::Settings& settings, const cxxopts::ParseResult& arguments) = nullptr;
  int (*run)(const ProgramRun& prepared, const model::Settings& settings,
             const cxxopts::ParseResult& arguments) = nullptr; // nullptr: not for programs
  ExitCode (*report)(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                     const std::vector<std::filesystem::path>& files, Outputs& outputs) = nullptr;
  // Returns the cells of kernels in the index of a build folder; nullptr: it has none.
  std::vector<report::Summary> (*summarize)(const std::filesystem::path& file) = nullptr;
  bool is_simulated = false; // the program's launches run in the simulator
  // `gputest run-cuda` calls these in place of `check` and `run`. A `run_cuda` of nullptr: the
  // analysis is not for CUDA programs.
  void (*check_cuda)(const model::Settings& settings,
                     const cxxopts::ParseResult& arguments) = nullptr;
  int (*run_cuda)(const program::CudaRun& run, const model::Settings& settings,
                  const cxxopts::ParseResult& arguments) = nullptr;
};

// Returns the row of the analysis. An analysis without one gets an empty row.
const AnalysisCommand& command_of(const model::Analysis& analysis);

// Returns the columns of the index: all analyses that have summaries, and other results of kernels.
std::vector<report::IndexKind> index_kinds();

} // namespace gputest::driver
