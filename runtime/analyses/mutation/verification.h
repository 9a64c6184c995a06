// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --verify: checks that a mutant in the combined kernel gets the same verdict as in a program of
// its own.
#pragma once

#include "runtime/analyses/mutation/session.h"

#include <vector>

namespace gputest::runtime {

// Runs some of the switched mutants among `mutants` both ways; MutationPlan::verify says how many.
// Takes nothing from the store. Prints each mutant whose verdicts differ, and the time of both
// ways. Returns the exit code: 1 if any verdict differs. Throws DeviceError where the device
// rejects mutants.cl.
int verify_mutants(const Plan& plan, const KernelDescription& description,
                   const DeviceMutants& device, const std::vector<const model::Mutant*>& mutants);

} // namespace gputest::runtime
