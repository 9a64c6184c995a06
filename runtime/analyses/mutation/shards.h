// What the shards of a mutation run have found out, for the run of the whole.
#pragma once

#include "runtime/analyses/mutation/plan.h"

namespace gputest::runtime {

// Adds the outcomes in the stores of all shards to `plan.store`, and prints how many there were,
// and what SHARDS says of shards that have left none. Such a shard has not run, or was killed; its
// mutants run here. Does nothing with plan.fresh, or where no shard ever ran. Throws
// store::StoreError.
void take_shards(const MutationPlan& plan);

} // namespace gputest::runtime
