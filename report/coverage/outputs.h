// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of a coverage report, each a function from a Report to text, in
// report/coverage/<form>.cpp.
#pragma once

#include "report/common/parted_page.h"
#include "report/common/source.h"
#include "report/coverage/report.h"

#include <optional>
#include <string>

namespace gputest::report {

// Returns a table of kernels by criteria, at most 100 columns wide. Below it is what is missing, in
// compiler style, so that editors can jump there. `colour`: uses ANSI escape sequences.
// `columns`: the width of the terminal, for tables.
std::string terminal(const Report& report, bool colour,
                     std::optional<std::size_t> columns = std::nullopt);

// One HTML 5 page that needs nothing else: summary, findings, and every source file line by line.
// `file`: the name of the page, where its sources may be pages of their own (parted_page.h).
PartedPage coverage_page(const Report& report, const SourceTree& sources, const std::string& file);

// An lcov tracefile (geninfo(1), "FILES"). In BRDA, the block is the branch site's number on its
// line, and the branch is the outcome's number. The count is "-" if the condition was never
// evaluated. Files that are found have absolute names.
std::string lcov(const Report& report, const SourceTree& sources);

// Cobertura XML (coverage-04.dtd), with one package for each directory and one class for each file.
// Rates of nothing are 0, because the format cannot express them. File names are relative to the
// first root.
std::string cobertura(const Report& report, const SourceTree& sources);

// SARIF 2.1.0. Missed thresholds, failed cases and divergent barriers are errors, what is not
// instrumented is a warning, and missing outcomes are notes.
std::string coverage_sarif(const Report& report, const SourceTree& sources);

// JUnit XML: for each kernel, its cases and its criteria. A criterion fails below its threshold.
std::string coverage_junit(const Report& report);

// Returns the merged coverage.json, docs/reference/formats.md.
std::string json(const Report& report);

} // namespace gputest::report
