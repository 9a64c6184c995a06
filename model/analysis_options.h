// The command-line options of analyses, made from their table: --<analysis>, and one for each
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

// --coverage, --schedules[=N], --timeout-factor … of the analyses that have settings there.
// `place`: kInHarness or kInRun.
void add_analysis_options(cxxopts::Options& parser, std::span<const Analysis> all, unsigned place);

// The command line with "--schedules 5" as "--schedules=5": the parser gives options that may stand
// alone no value otherwise.
std::vector<std::string> with_joined_values(std::span<const Analysis> all, int argc,
                                            const char* const* argv);

// The analysis that the command line asks for, and what it says of it; nullopt: it asks for none.
struct AskedAnalysis {
  Settings settings;
  std::optional<std::string> value; // of --<analysis>=…, not empty
};
// Throws SettingError: two analyses, an option of another one, a value out of range.
std::optional<AskedAnalysis> asked_analysis(const cxxopts::ParseResult& result,
                                            std::span<const Analysis> all, unsigned place);

} // namespace gputest::model
