// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest report` for results of coverage.
#pragma once

#include "driver/command_error.h"
#include "driver/report/files.h"
#include "model/coverage.h"
#include "model/settings.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <vector>

namespace gputest::driver {

// Returns the thresholds of --threshold, and those of the settings for other criteria. Throws
// CommandError.
model::Thresholds coverage_thresholds(const cxxopts::ParseResult& arguments,
                                      const model::Settings& settings);

// Reports on these coverage.json files, as the options say. Returns Failed below a threshold.
ExitCode report_coverage(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                         const std::vector<std::filesystem::path>& files, Outputs& outputs);

} // namespace gputest::driver
