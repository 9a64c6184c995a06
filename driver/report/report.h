// gputest report FILE…: merges results and reports; docs/command-line.md.
#pragma once

#include "model/analyses.h"

#include <cxxopts.hpp>
#include <vector>

namespace gputest::driver {

// argv[0] is the subcommand. Returns 0, or 2 after a message on stderr when the arguments or the
// input are wrong or an output cannot be written.
int report_command(int argc, char** argv);

// What a report can be asked for: --html, --json, --lcov, --cobertura, --sarif, --junit, --viewer,
// --title, --threshold, --no-terminal.
void add_report_options(cxxopts::Options& options);

// Throws CommandError where such an option is given that results of none of these have.
void refuse_other_reports(const cxxopts::ParseResult& arguments,
                          const std::vector<const model::Analysis*>& analyses);

} // namespace gputest::driver
