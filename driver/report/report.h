// gputest report FILE…: merges results and reports; docs/command-line.md.
#pragma once

#include "model/analyses.h"

#include <cxxopts.hpp>
#include <vector>

namespace gputest::driver {

// What a report can be asked for: --html, --json, --lcov, --cobertura, --sarif, --junit, --viewer,
// --title, --threshold, --no-terminal.
void add_report_options(cxxopts::Options& options);

// Throws CommandError where such an option is given that results of none of these have.
void refuse_other_reports(const cxxopts::ParseResult& arguments,
                          const std::vector<const model::Analysis*>& analyses);

} // namespace gputest::driver
