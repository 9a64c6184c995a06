// Which mutants of a file to run.
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

// By a mutant's `file`: first and last line of each changed part.
using ChangedLines = std::map<std::string, std::vector<std::pair<unsigned, unsigned>>>;

struct MutantSelection {
  std::vector<const model::Mutant*> mutants; // of the table, in its order
  std::uint64_t population = 0;              // how many there were before sampling
};

// The mutants that `kernel` can reach, made by one of the plan's operators; of these the ones
// named, on `changed` lines, in the sample and in the shard. Whether a mutant is in a sample of n
// depends on its id, the seed and the other mutants: a larger sample has all of a smaller one.
// Shards part the sample. In `table`, the first of duplicates whose own first is not selected takes
// its place, so that one of them is run. Throws UsageError for ids that do not exist.
MutantSelection select_mutants(model::MutantTable& table, const std::string& kernel,
                               const MutationPlan& plan,
                               const std::optional<ChangedLines>& changed);

// Whether something at file scope (empty) or in `function` is compiled into `kernel`.
bool is_reachable(const model::MutantTable& table, const std::string& kernel,
                  const std::string& function);

} // namespace gputest::runtime
