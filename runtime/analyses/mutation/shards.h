// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the outcomes of the shards of a mutation run to the run of the whole.
#pragma once

#include "runtime/analyses/mutation/plan.h"

namespace gputest::runtime {

// Adds the outcomes in the stores of all shards to plan.store. Prints how many there were, and how
// many conflict. Prints the shards that have left none, because they have not run or were killed:
// their mutants run here. Does nothing where plan.fresh is set. Throws store::StoreError.
void take_shards(const MutationPlan& plan);

} // namespace gputest::runtime
