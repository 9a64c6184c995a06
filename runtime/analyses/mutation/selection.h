// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the mutants of a file that are run.
#pragma once

#include "model/mutation/mutants.h"
#include "runtime/analyses/mutation/plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gputest::runtime {

// For each file, as Mutant::file names it: the first and last line of each changed part.
using ChangedLines = std::map<std::string, std::vector<std::pair<unsigned, unsigned>>>;

// Returns whether the mutant is on such a line.
bool is_changed(const model::Mutant& mutant, const ChangedLines& changed);

struct MutantSelection {
  std::vector<const model::Mutant*> mutants; // of the table, in its order
  std::uint64_t population = 0;              // number of mutants of this shard before sampling
};

// Selects the mutants that `kernel` can reach and that one of the plan's operators made. Of these
// it takes the ones that are named, that are on `changed` lines, in the sample and in the shard.
// Throws UsageError for ids that do not exist.
//
// A mutant's place in a sample depends on its id, the seed and the other mutants, so that a larger
// sample contains a smaller one. Shards divide the sample.
//
// Duplicates share a first mutant, which runs for all of them. If it is not selected, the first
// selected duplicate takes its place in `table`.
MutantSelection select_mutants(model::MutantTable& table, const std::string& kernel,
                               const MutationPlan& plan,
                               const std::optional<ChangedLines>& changed);

// Returns whether code in `function` is compiled into `kernel`. Empty: code at file scope, which
// always is.
bool is_reachable(const model::MutantTable& table, const std::string& kernel,
                  const std::string& function);

} // namespace gputest::runtime
