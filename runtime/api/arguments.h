// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns what a call of run_kernel gives into a launch and its arguments.
#pragma once

#include "gputest/run_kernel.h"
#include "runtime/api/signature.h"
#include "runtime/cases/argument.h"

#include <string>

namespace gputest::runtime {

// Returns the launch's sizes. `what` is what messages call the kernel. Throws UsageError for sizes
// that cannot be launched.
Launch launch_of(const RunOptions& options, const std::string& what);

// Returns the argument of a launch. `declared` is what the kernel takes at `position`; nullptr:
// unknown. Throws UsageError.
LaunchArgument launch_argument(const detail::KernelArgument& given,
                               const DeclaredArgument* declared, std::size_t position,
                               const std::string& kernel);

// Throws UsageError where a launch has changed memory that was given as const.
void check_unchanged(const detail::KernelArgument& given, const LaunchArgument& launched,
                     const std::string& kernel);

} // namespace gputest::runtime
