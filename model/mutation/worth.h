// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders mutants so that those run first that tell most, for runs with a time limit. Those that the
// limit leaves out are Verdict::NotRun.
#pragma once

#include "model/mutation/mutation.h"

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gputest::model {

// What is known of mutants before they run.
struct KnownOfMutants {
  // Returns whether the mutant is on a changed line; empty: nobody knows what changed.
  std::function<bool(const Mutant&)> is_changed{};
  // The verdicts of the last run, by id; empty: there was none.
  std::map<std::string, Verdict> last{};
};

// Returns the verdicts of results, by id, for KnownOfMutants::last.
std::map<std::string, Verdict> verdicts_by_id(const Mutation& mutation);

// Returns the indices of `mutants`, the one that is most worth first:
// 1. those on changed lines, and those that the last run did not have,
// 2. those that the last run left open: survived, undecided, not reached, not run,
// 3. the rest.
// The first mutant of each operator on each line precedes the others of 1 and 2, and then of 3, so
// that a short run sees every operator and every line. Otherwise their order stays.
std::vector<std::size_t> by_worth(std::span<const Mutant* const> mutants,
                                  const KnownOfMutants& known);

} // namespace gputest::model
