// `gputest report` where the results are of coverage.
#pragma once

#include "driver/command_error.h"
#include "driver/report/files.h"
#include "model/coverage.h"
#include "model/settings.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <vector>

namespace gputest::driver {

// --threshold, and what the settings say besides. Throws CommandError.
model::Thresholds coverage_thresholds(const cxxopts::ParseResult& arguments,
                                      const model::Settings& settings);

// Reports on these coverage.json files as the options, and --source-root, say. Failed: below a
// threshold.
ExitCode report_coverage(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                         const std::vector<std::filesystem::path>& files, Outputs& outputs);

} // namespace gputest::driver
