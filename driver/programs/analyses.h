// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what `gputest run` does for each analysis (model/analyses.h) that measures programs.
#pragma once

#include "driver/run/request.h"

#include <string_view>

namespace gputest::driver {

struct AnalysisCommand {
  std::string_view name{};
  // Throws CommandError for wrong settings and options, before anything is made; nullptr: none can
  // be wrong.
  void (*check)(const model::Settings& settings, const cxxopts::ParseResult& arguments) = nullptr;
  int (*run)(const ProgramRequest& request) = nullptr; // nullptr: not for programs
};

// Returns the row of the analysis. An analysis without one gets an empty row.
const AnalysisCommand& command_of(const model::Analysis& analysis);

} // namespace gputest::driver
