// What can be known of another process: how it ended, and what it is doing.
#pragma once

#include <string>
#include <sys/types.h>

namespace gputest::runtime {

// "SIGSEGV"; numbers without a well-known name as "signal 42".
std::string signal_name(int signal);

// Whether a process raises this signal by what it does: SIGSEGV, SIGABRT, SIGFPE and their kind.
// All others are sent to it, by a person, by a system that has no memory left, by a limit of the
// shell.
bool is_raised_by_itself(int signal);

// Whether somebody has stopped the process (SIGSTOP).
bool is_stopped(pid_t process);

// Seconds since its start in which a thread of the process could have run and had no processor: of
// the thread that waited longest, and of what the process has started and may wait for, such as
// the simulator. 0 where the system does not say.
double seconds_without_processor(pid_t process);

} // namespace gputest::runtime
