// run_kernel in a process of its own.
#pragma once

#include "gputest/run_kernel.h"

#include <functional>
#include <string>
#include <vector>

namespace gputest::detail {

// Calls `run` in a child of this process, with arguments whose results go to memory that both
// share, and copies them from there. What `run` throws is thrown here; where the child dies, or
// takes more than `timeout` seconds, KernelCrash. `what` begins its message: "kernel 'sum'".
Result run_apart(const std::string& what, double timeout, std::vector<KernelArgument> given,
                 const std::function<Result(std::vector<KernelArgument>)>& run);

} // namespace gputest::detail
