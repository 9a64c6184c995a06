// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest report --index`, and `gputest report` for results of several kinds: one page over all of
// them.
#pragma once

#include "driver/command_error.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// Reads all results in these files and below these directories. Writes the page `html` (empty:
// none), and the JSON and the badge that options name. Remembers the run in results.db beside the
// page. Prints a line for each kind unless --no-terminal is given. Throws CommandError where there
// are no such files, or no results.
ExitCode report_index(const cxxopts::ParseResult& arguments, const std::vector<std::string>& places,
                      const std::filesystem::path& html);

} // namespace gputest::driver
