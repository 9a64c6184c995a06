// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs analyses that a subcommand of gputest does in place of the host program.
#pragma once

#include "runtime/plan/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace gputest::runtime {

// A subcommand, and the names of its options for test cases and for sizes that cases do not give.
struct KernelCommand {
  std::string_view name, purpose; // purpose: said where gputest is missing
  std::string_view cases, global_size, local_size, global_offset, shared_memory;
};

// Adds "--option=value" to `words`.
void add_option(std::vector<std::string>& words, std::string_view option, const std::string& value);

// Returns the command line: the command, how the kernel is built, its arguments and its cases.
// Throws UsageError if the plan is verbose, or if it is that of a device function. `no_function`
// says why a device function will not do.
std::vector<std::string> kernel_command(const KernelCommand& command, std::string_view no_function,
                                        const Plan& plan, const KernelDescription& description);

// Runs the command as a child, in the folder that become() uses. Returns its exit code, or 128 plus
// the number of the signal that ended it. The child ends with this process.
int run_child(std::vector<std::string> words);

// Replaces this process by the command, in the host program's folder. Paths in ARGUMENTS are
// relative to that folder. Throws DeviceError.
[[noreturn]] void become(std::vector<std::string> words);

} // namespace gputest::runtime
