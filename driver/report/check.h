// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest report` for results of checks.
#pragma once

#include "driver/command_error.h"
#include "driver/report/files.h"
#include "model/settings.h"
#include "model/suppressions/suppressions.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <vector>

namespace gputest::driver {

ExitCode report_check(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                      const std::vector<std::filesystem::path>& files, Outputs& outputs);

// Returns the suppressions of a program's run. Files of findings are below `source_root` (empty:
// the current folder), or in the folders of `more`. Throws model::FormatError.
model::Suppressions program_suppressions(const std::filesystem::path& source_root,
                                         const model::Settings& settings,
                                         std::vector<std::filesystem::path> more = {});

} // namespace gputest::driver
