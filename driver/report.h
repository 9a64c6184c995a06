// gputest report FILE…: merges coverage.json files and reports; docs/command-line.md.
#pragma once

#include "driver/command_error.h"
#include "model/coverage.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <vector>

namespace gputest::driver {

// argv[0] is the subcommand. Returns 0, or 2 after a message on stderr when the arguments or the
// input are wrong or an output cannot be written.
int report_command(int argc, char** argv);

// What a report can be asked for: --html, --json, --lcov, --cobertura, --sarif, --junit, --viewer,
// --title, --threshold, --no-terminal.
void add_report_options(cxxopts::Options& options);

// --threshold. Throws CommandError.
model::Thresholds coverage_thresholds(const cxxopts::ParseResult& arguments);

// Reports on these coverage.json files as the options, and --source-root, say. Failed: below a
// threshold.
ExitCode report_coverage(const cxxopts::ParseResult& arguments,
                         const std::vector<std::filesystem::path>& files);

} // namespace gputest::driver
