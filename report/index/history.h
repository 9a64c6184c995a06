// What changed since the last run, and how kinds of results went from run to run. It is kept in the
// store of the build folder, as JSON (docs/formats.md, "results.db").
#pragma once

#include "report/index/summary.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::report {

// What is open now of one kernel and kind and was not in the run before, and the other way.
struct Change {
  std::string kind, name, kernel;
  std::vector<OpenEnd> appeared, gone;
  std::string value_before{}, value{}; // "80 %"; of a comparison (comparison.h)
};

struct History {
  std::vector<Change> changes; // only of those that changed
  std::string since = "the run before";
  // For each kind the mean percentage of the kernels in each run, the newest last.
  std::map<std::string, std::vector<double>, std::less<>> trends;
};

// Results of a file as they are now.
struct HistoryEntry {
  std::string kind;
  const Summary* summary = nullptr;
  std::string stamp; // another one in each run
};

// Compares with what `stored` says of earlier runs (empty, or no such JSON: nothing), and makes
// `stored` what the next one compares with. Results whose stamp is known are of the last run, and
// are compared with those of the run before. At most 50 runs are kept.
History remember(std::string& stored, const std::vector<HistoryEntry>& now, const std::string& date,
                 const std::string& commit);

} // namespace gputest::report
