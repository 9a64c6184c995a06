// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each test case is worth: the outcomes that it alone reaches, the mutants that it alone
// kills, and which cases nothing needs. docs/cases.md.
#pragma once

#include "model/coverage.h"
#include "model/mutation/mutation.h"
#include "report/index/index.h"

#include <optional>
#include <string>
#include <vector>

namespace gputest::report {

struct CaseWorth {
  std::string name;
  std::size_t outcomes = 0, kills = 0;   // that it reaches and kills, as others may, too
  std::size_t only_outcomes = 0;         // that no other case reaches
  std::vector<std::string> only_kills{}; // ids of the mutants that no other case kills
  bool is_needed() const { return only_outcomes > 0 || !only_kills.empty(); }
  bool is_kept = true; // in the smallest set of cases with the same coverage and score
};

// The cases of one kernel's test.
struct CaseSet {
  std::string name, kernel;
  std::vector<CaseWorth> cases{};
  bool has_outcomes = false, has_kills = false; // what is known of them
  bool is_smallest = true;          // false: there may be a smaller set than that of those kept
  std::vector<std::string> notes{}; // what is not known, and how to find it out
};

// Returns nothing for a test that has fewer than two cases, or of which nothing is known. Either
// argument may be nullptr. Kills count only if every case ran on every mutant (--all-cases).
std::optional<CaseSet> cases_of(const model::Coverage* coverage, const model::Mutation* mutation);

// Reads the results of coverage and mutation among the files, and joins those of one test. Throws
// FormatError.
std::vector<CaseSet> read_cases(const std::vector<IndexInput>& files);

// Returns "add (sum): no outcome and no mutant needs case 'b'" for each case that is left out of
// the smallest set, where both are known.
std::vector<std::string> redundant_cases(const std::vector<CaseSet>& sets);

// Returns a table for each test. `columns`: the width of the terminal.
std::string cases_terminal(const std::vector<CaseSet>& sets, bool colour,
                           std::optional<std::size_t> columns);

// {"format": "gputest-cases-1", …}; docs/reference/formats.md.
std::string cases_json(const std::vector<CaseSet>& sets);

} // namespace gputest::report
