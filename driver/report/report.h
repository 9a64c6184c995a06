// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest report FILE…: merges results and reports; docs/reference/command-line.md.
#pragma once

#include "model/analyses.h"

#include <cxxopts.hpp>
#include <vector>

namespace gputest::driver {

// Adds the options of reports: --html, --json, --lcov, --cobertura, --sarif, --junit, --viewer,
// --back, --title, --threshold, --no-terminal.
void add_report_options(cxxopts::Options& options);

// Throws CommandError for a given option of these that none of the analyses has.
void refuse_other_reports(const cxxopts::ParseResult& arguments,
                          const std::vector<const model::Analysis*>& analyses);

} // namespace gputest::driver
