// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells what another process is doing.
#pragma once

#include <optional>
#include <sys/types.h>

namespace gputest::process {

// Returns whether somebody has stopped the process (SIGSTOP).
bool is_stopped(pid_t process);

// Returns the seconds in which the process could have run but had no processor: those of the thread
// that waited longest, and of the processes that it has started and may wait for, such as the
// simulator. 0 where the system does not tell.
double seconds_without_processor(pid_t process);

// A limit counts a process's own time. Where others had the processors, it is extended by the time
// that the process had to wait, up to twice the limit.
class ExtendedLimit {
public:
  // Another limit of the same process begins.
  void begin() { extended_ = 0; }
  // Returns how many seconds more the process may run whose limit of so many seconds is over;
  // nullopt: no more, or somebody has stopped it. What it waited before `since`, in seconds from
  // now, does not count.
  std::optional<double> more(pid_t process, double limit, double since);

private:
  double granted_ = 0; // seconds without a processor, of the process
  double extended_ = 0;
};

} // namespace gputest::process
