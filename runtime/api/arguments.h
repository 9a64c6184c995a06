// What a call of run_kernel gives, as a launch has it.
#pragma once

#include "gputest/run_kernel.h"
#include "runtime/api/signature.h"
#include "runtime/cases/argument.h"

#include <string>

namespace gputest::runtime {

// `what` is what messages call the kernel. Throws UsageError for sizes that cannot be launched.
Launch launch_of(const RunOptions& options, const std::string& what);

// `declared` is what the kernel takes at `position`; nullptr: it is not known. Throws UsageError.
LaunchArgument launch_argument(const detail::KernelArgument& given,
                               const DeclaredArgument* declared, std::size_t position,
                               const std::string& kernel);

// Throws UsageError where a launch has written what was given as const.
void check_unchanged(const detail::KernelArgument& given, const LaunchArgument& launched,
                     const std::string& kernel);

} // namespace gputest::runtime
