// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of a mutation report, each a function to text, in report/mutation/<form>.cpp.
#pragma once

#include "report/common/parted_page.h"
#include "report/mutation/report.h"

#include <optional>
#include <string>

namespace gputest::report {

// Returns tables by kernel and by operator, about 100 columns wide. Below them is every mutant that
// no case noticed, in compiler style, so that editors can jump there. A long list is cut and ends
// with the number of the rest. `colour`: uses ANSI escape sequences.
// `columns`: the width of the terminal, for tables.
std::string mutation_terminal(const MutationReport& report, bool colour,
                              std::optional<std::size_t> columns = std::nullopt);

// One HTML 5 page that needs nothing else: summary, tables, every source file with its survivors.
// It shows all mutants of a line on demand.
// `file`: the name of the page, where its sources may be pages of their own (parted_page.h).
PartedPage mutation_page(const MutationReport& report, const std::string& file);

// One HTML 5 page that shows the report with the mutation-testing-elements viewer. `viewer` is the
// text of its mutation-test-elements.js, which becomes part of the page.
std::string mutation_viewer(const MutationReport& report, std::string_view viewer);

// Returns whether that viewer shows every file within seconds. Its time grows with the square of
// the number of mutants.
bool suits_viewer(const MutationReport& report);

// SARIF 2.1.0. Survivors and undecided mutants are warnings, and those that no case reaches are
// notes. Rules are operators. Names of files below `root` are relative to it, like everything in
// the file.
std::string sarif(const MutationReport& report, const std::filesystem::path& root);

// JUnit XML: a suite for each kernel, and a test case for each mutant. A test case fails if the
// mutant was not noticed, and is skipped if the mutant is not scored.
std::string junit(const MutationReport& report);

// Returns mutation.json of all kernels, docs/reference/formats.md.
std::string mutation_json(const MutationReport& report);

} // namespace gputest::report
