// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads schedules.json files.
#pragma once

#include "model/schedules/results.h"
#include "report/common/label.h"
#include "report/common/source.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::report {

struct ScheduledResult {
  model::Schedules schedules;
  std::filesystem::path folder; // folder of the file; findings name their files relative to it
};

struct SchedulesReport {
  std::string title;
  std::vector<ScheduledResult> kernels; // in order of name
};

// Reads the files. An empty title is replaced by one made of the kernels' names. Throws FormatError
// if a file cannot be read or does not have the format.
SchedulesReport read_schedules_report(const std::vector<std::filesystem::path>& files,
                                      std::string title);

// Returns whether all cases hold, there is at least one, and all ids were remapped.
bool holds(const model::Schedules& schedules);

// ---- The forms of the report, each a function to text; report/schedules/<form>.cpp ----

// Returns a line for each kernel, and below them the findings. `colour`: uses ANSI escape
// sequences.
// `columns`: the width of the terminal, for tables.
std::string schedules_terminal(const SchedulesReport& report, bool colour,
                               std::optional<std::size_t> columns = std::nullopt);

// One HTML 5 page that needs nothing else.
std::string schedules_html(const SchedulesReport& report);

// JUnit XML: a suite for each kernel, and a test case for each case. A test case with findings
// fails.
std::string schedules_junit(const SchedulesReport& report);

// SARIF 2.1.0: findings are errors, in their line if it is known, else in that of the kernel. Rules
// are kinds of findings.
std::string schedules_sarif(const SchedulesReport& report, const SourceTree& sources);

// {"format": "gputest-schedules-report-1", "kernels": [schedules.json, …]}.
std::string schedules_json(const SchedulesReport& report);

} // namespace gputest::report
