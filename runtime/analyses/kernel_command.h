// Analyses that the gputest command does in the place of the host program.
#pragma once

#include "runtime/plan/plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace gputest::runtime {

// A subcommand, and the options by which it takes test cases and what cases do not say.
struct KernelCommand {
  std::string_view name, purpose; // why it is needed, for the message that it is not there
  std::string_view cases, global_size, local_size, shared_memory;
};

// Adds "--option=value".
void add_option(std::vector<std::string>& words, std::string_view option, const std::string& value);

// The command and what it has to know of the kernel: how it is built, its arguments and its cases.
// Throws UsageError if the plan is that of a device function (`no_function` says why that cannot
// be), or verbose.
std::vector<std::string> kernel_command(const KernelCommand& command, std::string_view no_function,
                                        const Plan& plan, const KernelDescription& description);

// Runs that command in that folder, and returns its exit code; 128 and more: a signal ended it. It
// ends with this process.
int run_child(std::vector<std::string> words);

// Becomes that command, in the host program's folder, to which files in ARGUMENTS are relative.
// Throws DeviceError.
[[noreturn]] void become(std::vector<std::string> words);

} // namespace gputest::runtime
