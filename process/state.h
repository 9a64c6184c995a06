// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells what another process is doing.
#pragma once

#include <sys/types.h>

namespace gputest::process {

// Returns whether somebody has stopped the process (SIGSTOP).
bool is_stopped(pid_t process);

// Returns the seconds in which the process could have run but had no processor: those of the thread
// that waited longest, and of the processes that it has started and may wait for, such as the
// simulator. 0 where the system does not tell.
double seconds_without_processor(pid_t process);

} // namespace gputest::process
