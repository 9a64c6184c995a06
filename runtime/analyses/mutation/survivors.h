// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds survivors that no test can kill.
#pragma once

#include "model/mutation/mutation.h"
#include "runtime/analyses/mutation/session.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Does something only where mutants.table was not compared, because the file has too many mutants.
// Then the gputest command looks for survivors that are equivalent or duplicates of each other
// (`gputest mutants --equivalence-of`). These get that verdict. `not_mutated` says what the command
// could not look at in its time, or why it failed.
void compare_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation);

// Has the gputest command prove that survivors never have another value than the original (`gputest
// prove`). These get the verdict equivalent, with the proof. The store keeps each answer, so that
// the command is asked again only after the kernel or the command has changed. Where the command
// had no answer in time, it is asked again in the next run, and `not_mutated` says so.
void prove_survivors(const Plan& plan, const DeviceMutants& mutants, model::Mutation& mutation);

} // namespace gputest::runtime
