// A process that does what may take too long, and is ended then.
#pragma once

#include "testgen/deadline.h"

#include <functional>
#include <sys/types.h>

namespace gputest::testgen {

// Copies this process for `work`, and ends with it. What the copy starts is in a group of its own,
// which goes with it.
class Child {
public:
  // Throws SimulatorFailure. What `work` throws ends the copy as a failure.
  explicit Child(const std::function<void()>& work);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child(); // ends it

  // True: the work is done. False: it failed, or the time is over and the copy is ended.
  bool wait(Deadline until);
  pid_t process() const { return process_; }
  double seconds() const { return seconds_; } // that the copy was busy, once it has ended

private:
  pid_t process_ = -1;
  double seconds_ = 0;
};

} // namespace gputest::testgen
