// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child process for work that may take too long, and that can be killed.
#pragma once

#include "testgen/deadline.h"

#include <functional>
#include <sys/types.h>

namespace gputest::testgen {

// A fork of this process that runs `work` and then exits. The fork leads a process group, and what
// it starts is killed with it.
class Child {
public:
  // Throws SimulatorFailure if the process cannot be started. An exception in `work` ends the child
  // as a failure.
  explicit Child(const std::function<void()>& work);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child(); // kills the child

  // Returns true if the work is done. Returns false if it failed, or if `until` came first: then
  // the child is killed.
  bool wait(Deadline until);
  pid_t process() const { return process_; }
  double seconds() const { return seconds_; } // of processor time, once the child has ended

private:
  pid_t process_ = -1;
  double seconds_ = 0;
};

} // namespace gputest::testgen
