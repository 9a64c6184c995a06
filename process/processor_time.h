// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processor time, which passes only while a process works.
#pragma once

#include <sys/resource.h>

namespace gputest::process {

// Returns the processor time of this process and of the children that it has waited for, in
// seconds.
inline double processor_seconds_here() {
  double seconds = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(whose, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }
  return seconds;
}

} // namespace gputest::process
