// What is reported of schedules: schedules.json files read.
#pragma once

#include "model/schedules.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::report {

struct ScheduledResult {
  model::Schedules schedules;
  std::filesystem::path folder; // of the file: findings name theirs relative to it
};

struct SchedulesReport {
  std::string title;
  std::vector<ScheduledResult> kernels; // in order of name
};

// InputError when a file cannot be read or is not what it should be. An empty title: one made of
// the kernels' names.
SchedulesReport read_schedules_report(const std::vector<std::filesystem::path>& files,
                                      std::string title);

// "sum", or "sum (partial_sum)" where the kernel's tests are called something else.
std::string label_of(const model::Schedules& schedules);

bool holds(const model::ScheduledCase& scheduled);
// All cases hold, there is at least one, and all ids were remapped.
bool holds(const model::Schedules& schedules);
bool holds(const SchedulesReport& report);

// ---- The forms of the report, each a function to text; report/schedules_<form>.cpp ----

// A line for each kernel, and below them the findings. `colour`: with ANSI escape sequences.
std::string schedules_terminal(const SchedulesReport& report, bool colour);

// One HTML 5 page that needs nothing else.
std::string schedules_html(const SchedulesReport& report);

// JUnit XML: a suite for each kernel, a test case for each case, which fails with its findings.
std::string schedules_junit(const SchedulesReport& report);

// SARIF 2.1.0: findings as errors, in the line where one is known. Rules are kinds of findings.
// File names below `root` are relative to it.
std::string schedules_sarif(const SchedulesReport& report, const std::filesystem::path& root);

// {"format": "gputest-schedules-report-1", "kernels": [schedules.json, …]}.
std::string schedules_json(const SchedulesReport& report);

} // namespace gputest::report
