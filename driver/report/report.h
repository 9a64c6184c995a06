// gputest report FILE…: merges results and reports; docs/command-line.md.
#pragma once

#include "model/analyses.h"

#include <cxxopts.hpp>
#include <vector>

namespace gputest::driver {

// argv[0] is the subcommand. Returns an ExitCode, with a message on stderr: Failed below a
// threshold or where results do not hold, WrongInput where arguments or input are wrong.
int report_command(int argc, char** argv);

// Adds the options of reports: --html, --json, --lcov, --cobertura, --sarif, --junit, --viewer,
// --title, --threshold, --no-terminal.
void add_report_options(cxxopts::Options& options);

// Throws CommandError for a given option of these that none of the analyses has.
void refuse_other_reports(const cxxopts::ParseResult& arguments,
                          const std::vector<const model::Analysis*>& analyses);

} // namespace gputest::driver
