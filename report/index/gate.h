// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether a change of the results may be merged: `gputest report --fail-on`.
#pragma once

#include "report/index/index.h"

#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

// What may not be. The names are those of --fail-on.
struct Gate {
  std::string_view name; // "new-survivors"
  std::string_view what; // "new survivor"
  bool compares;         // needs results of another time
  // Returns whether an end that appeared in results of a kind counts; null: all failures count.
  bool (*counts)(std::string_view kind, bool is_failure);
};

// new-survivors: mutants that survive, are not decided, or that no case reaches, and were not so.
// lost-outcomes: outcomes of coverage that no case reaches, and were not in the list before.
// new-findings: what analyses that look for faults find, and limits that are missed. failures: all
// that fails now, whether it failed before or not.
const std::vector<Gate>& gates();

// Reads "new-survivors,failures". Throws FormatError, with the names that there are.
std::vector<const Gate*> gates_from_text(const std::string& text);

// What a gate stops: "k (sum): sum.cl:2:7: 'a < b' → 'a <= b' survived".
struct Stopped {
  const Gate* gate = nullptr;
  std::vector<std::string> ends;
};
// Returns the gates that the results do not pass. `changes` are those since the other time.
std::vector<Stopped> stopped_by(const std::vector<const Gate*>& gates, const Index& index,
                                const std::vector<Change>& changes);

// Returns "2 new survivors" and a line for each of the first `most`.
std::string text_of(const Stopped& stopped, std::size_t most = 20);

} // namespace gputest::report
