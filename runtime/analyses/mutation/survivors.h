// Survivors that nothing can kill.
#pragma once

#include "model/mutation/mutation.h"
#include "runtime/analyses/mutation/session.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Where `mutants.table` was not compared, because the file has so many mutants: has the gputest
// command prove which of those that survived are equivalent or duplicates of each other (`gputest
// mutants --equivalence-of`), and gives them that verdict. What it could not look at in its time is
// said in `not_mutated`; where the command fails, why.
void compare_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation);

// Has the command prove that survivors, of any file, never have another value than the original
// (`gputest prove`), and gives them the verdict equivalent with the proof. The store keeps what it
// said, so that it is asked once for each mutant, unless the kernel or the command changes.
void prove_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation);

} // namespace gputest::runtime
