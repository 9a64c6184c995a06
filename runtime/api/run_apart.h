// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a call of run_kernel in a process of its own.
#pragma once

#include "gputest/run_kernel.h"

#include <functional>
#include <string>
#include <vector>

namespace gputest::runtime {

using detail::KernelArgument;

// Calls `run` in a child of this process. Its arguments put results into memory that both processes
// share, and run_apart() copies them from there. Rethrows what `run` throws, as NoDevice,
// UsageError, BuildError, KernelError or else DeviceError. Throws KernelCrash where the child dies
// or takes more than `timeout` seconds, and DeviceError where other processes end it again and
// again. `what` begins messages: "kernel 'sum'".
Result run_apart(const std::string& what, double timeout, std::vector<KernelArgument> given,
                 const std::function<Result(std::vector<KernelArgument>)>& run);

} // namespace gputest::runtime
