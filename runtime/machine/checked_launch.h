// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in the simulator, and looks for findings that show only in another order.
#pragma once

#include "model/language.h"
#include "runtime/machine/machine.h"

#include <vector>

namespace gputest::runtime {

// Launches `kernel` as the simulation of `machine` says. The machine takes instructions.
//
// If that ends well with work-groups in ascending order, launches once more in descending order,
// from the same memory. A work-group that waits for an earlier one then waits forever, which is a
// finding of the kind inter_group_dependency. The second launch has no checks or, if the kernel
// does harm, those that prevent harm. None of its findings is fatal. It may take 20 times as long
// as the first and a second more, but no longer than the simulation's limit.
//
// `language`: the kernel's, for the words of messages.
LaunchOutcome checked_launch(Machine& machine, BuiltKernel& kernel, const Launch& launch,
                             std::vector<LaunchArgument>& arguments, model::Language language);

// Returns whether the launch ran to its end: no finding is fatal.
bool ended_well(const std::vector<model::Finding>& findings);

} // namespace gputest::runtime
