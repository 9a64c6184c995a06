// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of one analysis for one kernel, in a cell of the index of a build folder.
#pragma once

#include "model/names.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

enum class Level { Full, Fair, Poor, Nothing };
constexpr auto names_of(Level) { // colours in pages
  return std::to_array<std::string_view>({"full", "fair", "poor", "nothing"});
}
using model::name_of;
// Full: at least 100; Fair: at least 75; Nothing: there is no percentage.
Level level_of(std::optional<double> percent);

// Something that tests leave open or found: an outcome that no case reaches, a survivor, a race.
struct OpenEnd {
  std::string id;   // stays the same from run to run, even when lines move
  std::string text; // "k.cl:7:13: 'i < n' → 'i <= n' survived"
  // A survivor's lines, "- if (i < n)\n+ if (i <= n)\n"; empty: there are none.
  std::string diff{};
};

struct Summary {
  std::string name; // gputest_add_kernel(<name> …); empty: that of the file's folder
  std::string kernel, source, device;
  Level level = Level::Nothing;
  std::string value{};                   // "83 %", "3/3"
  std::string detail{};                  // "branch, 11 of 12"
  std::optional<double> percent{};       // the length of a bar, and the trend
  std::vector<std::string> failures{};   // thresholds that are missed, cases that fail
  std::vector<std::string> unverified{}; // "case 'a': nothing says what the outputs should be"
  std::vector<std::string> weak{};       // "case 'a': each output is one value, …"
  std::vector<OpenEnd> open{};
  std::vector<std::string>
      not_run{};       // ids of what a time limit left out: nobody knows if it is open
  std::string stamp{}; // identifies the run that wrote the file
};

// ---- What summaries of several kinds are made of ----

std::string first_line(const std::string& text);

// Returns "case 'a' failed: data[0]: expected 6, got 7", with the first two lines of the message,
// because the first one often ends with a colon.
std::string case_text(const std::string& name, std::string_view verdict,
                      const std::string& message);

// Returns "k.cl:7:13".
std::string place_text(const std::string& file, unsigned line, unsigned column);

// Sets the value to "2/3" of cases, and the level by it. `what` they do: "passed".
void tell_cases(Summary& summary, std::size_t good, std::size_t all, const char* what);

// A kind of results, a column of the index. driver/report/analyses.cpp has the table.
struct IndexKind {
  std::string_view name;   // "mutation"; its page is <name>.html
  std::string_view result; // "mutation.json"
  // Throws FormatError.
  std::vector<Summary> (*read)(const std::filesystem::path& file) = nullptr;
};

} // namespace gputest::report
