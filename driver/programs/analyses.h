// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what `gputest run` and `gputest run-cuda` do for each analysis (model/analyses.h)
// that measures programs.
#pragma once

#include "driver/cuda/run.h"
#include "driver/program_arguments.h"
#include "model/settings.h"

#include <string_view>

namespace gputest::driver {

struct AnalysisCommand {
  std::string_view name{};
  // Throws CommandError for wrong settings and options, before anything is made; nullptr: none can
  // be wrong.
  void (*check)(const model::Settings& settings, const cxxopts::ParseResult& arguments) = nullptr;
  int (*run)(const ProgramRun& prepared, const model::Settings& settings,
             const cxxopts::ParseResult& arguments) = nullptr; // nullptr: not for programs
  bool is_simulated = false; // the program's launches run in the simulator
  CudaAnalysis cuda{};
};

// Returns the row of the analysis. An analysis without one gets an empty row.
const AnalysisCommand& command_of(const model::Analysis& analysis);

} // namespace gputest::driver
