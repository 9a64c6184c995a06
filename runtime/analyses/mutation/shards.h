// Brings the outcomes of the shards of a mutation run to the run of the whole.
#pragma once

#include "runtime/analyses/mutation/plan.h"

namespace gputest::runtime {

// Adds the outcomes in the stores of all shards to plan.store, and prints how many there were.
// Prints a message for each shard that has left none, because it has not run or was killed: its
// mutants run here. Does nothing where plan.fresh is set or no shard ever ran. Throws
// store::StoreError.
void take_shards(const MutationPlan& plan);

} // namespace gputest::runtime
