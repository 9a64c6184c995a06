// --mutation and --verify, as the parent of the workers sees them.
#pragma once

#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"

namespace gputest::runtime {

// Runs the plan's mutants on its test cases, writes mutation.json and prints a summary. Returns the
// exit code: 1 if the original fails its tests (no mutant is run then) or too few mutants are
// killed. Throws UsageError, DeviceError, NoDevice, store::StoreError.
int run_mutation(const Plan& plan, const KernelDescription& description);

void prepare_mutation(Plan& plan, const Options& options);

// mutants.cl, without any mutant.
Subject mutants_variant(const Plan& plan, Machine& machine);

} // namespace gputest::runtime
