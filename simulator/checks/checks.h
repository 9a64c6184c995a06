// Which checks a launch makes.
#pragma once

#include <string>
#include <vector>

namespace gputest::simulator {

struct Checks {
  bool races = false;         // unordered accesses of two work-items, one of them a write
  bool barriers = false;      // barriers that not all work-items of a group reach
  bool bounds = false;        // accesses outside of buffers and arrays; misaligned vectors
  bool uninitialized = false; // uses of values that nobody has written
  bool arithmetic = false;    // integer division by zero, shifts by more than the width
  bool overflow = false;      // signed integer overflow

  // Is the kernel's code other than without checks?
  bool any() const {
    return races || barriers || bounds || uninitialized || arithmetic || overflow;
  }
};

// "races", "barriers", "bounds", "uninitialized", "arithmetic", "overflow". Throws InputError for
// other words.
Checks checks_named(const std::vector<std::string>& names);

// "races bounds"; empty without any.
std::string text_of(const Checks& checks);

} // namespace gputest::simulator
