// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The history of results: changes since the last run, and the percentage of each kind of results in
// each run. The store of the build folder keeps it as JSON (docs/reference/formats.md,
// "results.db").
#pragma once

#include "report/index/summary.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::report {

// A change in the results of one kernel and one kind. `appeared`: open now, and not in the run
// before. `gone`: the other way round.
struct Change {
  std::string kind, name, kernel;
  std::vector<OpenEnd> appeared, gone;
  std::string value_before{}, value{}; // "80 %"; for comparisons (comparison.h)
};

struct History {
  std::vector<Change> changes; // only results that changed
  std::string since = "the run before";
  // For each kind the mean percentage of the kernels in each run, the newest last.
  std::map<std::string, std::vector<double>, std::less<>> trends;
};

// The current results of a file.
struct HistoryEntry {
  std::string kind;
  const Summary* summary = nullptr;
  std::string stamp; // differs in each run
};

// Compares `now` with the earlier runs in `stored`, and updates `stored` for the next run. An empty
// text has no runs. Results with a known stamp are from the last run, and are compared with the run
// before. At most 50 runs are kept. Throws model::FormatError for another version's text, and
// leaves it as it is.
History remember(std::string& stored, const std::vector<HistoryEntry>& now, const std::string& date,
                 const std::string& commit);

} // namespace gputest::report
