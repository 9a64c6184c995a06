// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the command-line options of analyses from their table: --<analysis>, and one for each
// setting.
#pragma once

#include "model/settings.h"

#include <optional>
#include <string>
#include <vector>

namespace cxxopts {
class Options;
class ParseResult;
} // namespace cxxopts

namespace gputest::model {

// Adds the options of the analyses that have settings in this place: --coverage, --schedules[=N],
// --timeout-factor, … `place`: kInHarness or kInRun.
void add_analysis_options(cxxopts::Options& parser, std::span<const Analysis> all, unsigned place);

// Returns the command line with "--schedules 5" written as "--schedules=5". The parser needs that,
// because an option with an optional value takes no separate word.
std::vector<std::string> with_joined_values(std::span<const Analysis> all, int argc,
                                            const char* const* argv);

// The analysis that the command line asks for, and its settings there.
struct AskedAnalysis {
  Settings settings;
  std::optional<std::string> value; // the value of --<analysis>=…, which is not empty
};
// Returns nullopt where the command line asks for no analysis. Throws SettingError for two
// analyses, an option of another analysis, or a value out of range.
std::optional<AskedAnalysis> asked_analysis(const cxxopts::ParseResult& result,
                                            std::span<const Analysis> all, unsigned place);

} // namespace gputest::model
