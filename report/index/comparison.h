// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares results with those of another time: of a folder, a commit or the run before. The store
// of the build folder keeps them as JSON (docs/reference/formats.md, "results.db").
#pragma once

#include "report/index/index.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::report {

// The results of one kernel and one kind.
struct ResultState {
  std::string kind, name, kernel;
  std::string value, stamp;
  std::map<std::string, std::string> open; // by id: texts of what is open and of what failed
  std::set<std::string> not_run{};         // ids of what a time limit left out
};

// The results of an index, by kind, name and kernel.
using ResultStates = std::map<std::string, ResultState>;
ResultStates states_of(const Index& index);

// Returns what changed in results that both have or that are new: a survivor, a lost outcome, a
// failure, another percentage. Results that no longer exist have changed nothing, and nor has what
// a time limit left out, then or now.
std::vector<Change> changes(const ResultStates& before, const ResultStates& now);

// Returns a line for each change, and below it what appeared and what is gone, at most `most` of
// each. No changes: "nothing changed".
std::string changes_terminal(const std::vector<Change>& changes, bool colour,
                             std::size_t most = 20);

// Returns the ends that appeared, once for each text: a finding is open, and its case fails.
std::vector<OpenEnd> appeared_once(const Change& change);

// Whether the end is something that failed: a case, a threshold, a limit.
bool is_failure(const OpenEnd& end);

std::string to_text(const ResultStates& states);
ResultStates states_from_text(const std::string& text); // throws FormatError

} // namespace gputest::report
