// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads check.json files: what the simulator's checks found.
#pragma once

#include "model/checks/results.h"
#include "report/common/label.h"
#include "report/common/source.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::report {

struct CheckedKernel {
  model::CheckResults results;
  std::filesystem::path folder; // folder of the file; findings name their replays relative to it
};

struct CheckReport {
  std::string title;
  std::vector<CheckedKernel> kernels; // in order of name
};

// Reads the files. Files below the first root of `sources` are named relative to it. An empty title
// is replaced by one made of the kernels' names. Throws FormatError if a file cannot be read or
// does not have the format.
CheckReport read_check_report(const std::vector<std::filesystem::path>& files,
                              const SourceTree& sources, std::string title);

// Returns whether a case ran to its end, without findings and with the proof that was asked for.
bool holds(const model::CheckedCase& checked);
// Returns whether all cases hold, and there is at least one.
bool holds(const model::CheckResults& results);

// The findings of one cause, in order: reports tell what led to them once. A finding without a
// cause stands alone.
struct FindingsOfCause {
  const model::CheckedFinding* first = nullptr;
  std::vector<const model::CheckedFinding*> others;
};
std::vector<FindingsOfCause> by_cause(const std::vector<model::CheckedFinding>& findings);

// Returns the places of entries of files of suppressions that match no finding of the report:
// "/p/gputest.suppressions:3".
std::vector<std::string> unused_suppressions(const CheckReport& report);

// ---- The forms of the report, each a function to text; report/check/<form>.cpp ----

// Returns a line for each kernel, and below them the findings. `colour`: uses ANSI escape
// sequences.
// `columns`: the width of the terminal, for tables.
std::string check_terminal(const CheckReport& report, bool colour,
                           std::optional<std::size_t> columns = std::nullopt);

// One HTML 5 page that needs nothing else: the findings, in a list and in the source.
std::string check_html(const CheckReport& report, const SourceTree& sources);

// JUnit XML: a suite for each kernel, and in it a test case for each case, which fails if the case
// has findings.
std::string check_junit(const CheckReport& report);

// SARIF 2.1.0: a result for each finding. Rules are kinds of findings.
std::string check_sarif(const CheckReport& report, const SourceTree& sources);

// A file gputest.suppressions (model/suppressions/suppressions.h) with an entry for each finding,
// behind what it holds already.
std::string check_suppressions(const CheckReport& report, const SourceTree& sources,
                               std::string before);

// {"format": "gputest-check-report-1", "kernels": [check.json, …]}.
std::string check_json(const CheckReport& report);

} // namespace gputest::report
