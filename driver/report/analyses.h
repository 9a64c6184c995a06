// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what `gputest report` does for each analysis (model/analyses.h).
#pragma once

#include "driver/command_error.h"
#include "driver/report/files.h"
#include "model/settings.h"
#include "report/index/summary.h"

#include <string_view>

namespace gputest::driver {

struct AnalysisReport {
  std::string_view name{};
  // nullptr: it has no report of its own.
  ExitCode (*report)(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                     const std::vector<std::filesystem::path>& files, Outputs& outputs) = nullptr;
  // Returns the cells of kernels in the index of a build folder; nullptr: it has none.
  std::vector<report::Summary> (*summarize)(const std::filesystem::path& file) = nullptr;
};

// Returns the row of the analysis. An analysis without one gets an empty row.
const AnalysisReport& report_of(const model::Analysis& analysis);

// Returns the columns of the index: all analyses that have summaries, and other results of kernels.
std::vector<report::IndexKind> index_kinds();

} // namespace gputest::driver
