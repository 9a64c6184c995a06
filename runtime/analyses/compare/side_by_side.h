// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every test case in two ways, in turn and in one process. It tells whether both leave the
// same memory, and what each costs.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/cases/memory_difference.h"
#include "runtime/plan/plan.h"

#include <functional>
#include <string>

namespace gputest::runtime {

// The two sides, as the worker runs them. `left` and `right` launch the kernel on a case. They
// replace the case's memory with what the kernel left, and return the seconds that the kernel took.
struct Sides {
  std::string device;
  std::function<void(BoundCase&)> prepare = {}; // changes a case before it is copied to both sides
  std::function<double(BoundCase&)> left, right;
};

// How two results compare. `differences` has an entry for each argument that differs too much.
struct Likeness {
  std::vector<MemoryDifference> differences;
  bool identical = true; // no bit differs
};

struct SideBySide {
  std::string format;      // of the result file
  std::string left, right; // what the sides are called
  std::function<Sides()> open;
  std::function<Likeness(const BoundCase& left, const BoundCase& right)> compare;
};

// Runs each case on both sides and compares what they leave. The left side runs twice: what varies
// from run to run there is not blamed on the right side. After that, each side runs `runs` more
// times, and these runs are timed.
//
// Prints a line for each case, with the median times. Writes all times to plan.result. Returns 0
// where no case differs. Returns 1 where a case differs, crashes, times out, cannot be launched, or
// writes out of bounds on the left side. Returns 3 where other processes ended the worker of the
// last of these cases.
int run_side_by_side(const Plan& plan, unsigned runs, const SideBySide& what);

} // namespace gputest::runtime
