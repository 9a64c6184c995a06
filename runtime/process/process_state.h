// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells what another process is doing, and how it ended.
#pragma once

#include <string>
#include <sys/types.h>

namespace gputest::runtime {

// Returns "SIGSEGV". A number without a well-known name is "signal 42".
std::string signal_name(int signal);

// Returns whether somebody has stopped the process (SIGSTOP).
bool is_stopped(pid_t process);

// Returns the seconds in which the process could have run but had no processor: those of the thread
// that waited longest, and of the processes that it has started and may wait for, such as the
// simulator. 0 where the system does not tell.
double seconds_without_processor(pid_t process);

} // namespace gputest::runtime
