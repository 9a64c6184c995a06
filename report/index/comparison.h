// Results of now beside those of another time: a folder, a commit, the run before. As JSON they are
// kept in the store of the build folder (docs/formats.md, "results.db").
#pragma once

#include "report/index/index.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::report {

// What results of one kernel and kind say.
struct ResultState {
  std::string kind, name, kernel;
  std::string value, stamp;
  std::map<std::string, std::string> open; // texts by id: what is open, and what failed
};

// All results of an index, by kind, name and kernel.
using ResultStates = std::map<std::string, ResultState>;
ResultStates states_of(const Index& index);

// What changed of results that both have, or that are new: a survivor, a lost outcome, a failure,
// another percentage. Results that are not there any more have changed nothing.
std::vector<Change> changes(const ResultStates& before, const ResultStates& now);

// A line for each change, below it what appeared and what is gone, at most `most` of each. Empty:
// "nothing changed".
std::string changes_terminal(const std::vector<Change>& changes, bool colour,
                             std::size_t most = 20);

std::string to_text(const ResultStates& states);
ResultStates states_from_text(const std::string& text); // throws FormatError

} // namespace gputest::report
