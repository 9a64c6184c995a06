// --verify: does a mutant in the combined kernel get the verdict it gets as a program of its own?
#pragma once

#include "runtime/analyses/mutation/session.h"

#include <vector>

namespace gputest::runtime {

// Runs `mutation->verify` (0: all) of the switched mutants among `mutants` both ways, with nothing
// taken from the store. Prints each whose verdicts differ, and the time of both ways. Returns the
// exit code: 1 if any differs.
int verify_mutants(const Plan& plan, const KernelDescription& description,
                   const DeviceMutants& device, const std::vector<const model::Mutant*>& mutants);

} // namespace gputest::runtime
