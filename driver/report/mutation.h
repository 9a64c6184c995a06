// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest report` for results of mutation testing.
#pragma once

#include "driver/command_error.h"
#include "driver/report/files.h"
#include "model/settings.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <optional>
#include <vector>

namespace gputest::driver {

ExitCode report_mutation(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                         const std::vector<std::filesystem::path>& files, Outputs& outputs);

// Returns the threshold of --threshold, else that of the settings. Throws CommandError.
std::optional<double> mutation_threshold(const cxxopts::ParseResult& arguments,
                                         const model::Settings& settings);

} // namespace gputest::driver
