// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest report` for results of schedules.
#pragma once

#include "driver/command_error.h"
#include "driver/report/files.h"
#include "model/settings.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <vector>

namespace gputest::driver {

ExitCode report_schedules(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                          const std::vector<std::filesystem::path>& files, Outputs& outputs);

} // namespace gputest::driver
