// Every test case run in two ways, in turn and in one process: whether they leave the same memory,
// and what either costs.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/harness/plan.h"

#include <functional>
#include <string>

namespace gputest::runtime {

// What runs in the worker. Launches replace the case's memory with what the kernel left, and return
// the seconds of the kernel.
struct Sides {
  std::string device;                           // its name
  std::function<void(BoundCase&)> prepare = {}; // before a case is copied to either side
  std::function<double(BoundCase&)> left, right;
};

struct Likeness {
  std::string difference; // empty: none that counts
  bool identical = true;  // bit for bit
};

struct SideBySide {
  std::string format;      // of the result file
  std::string left, right; // what the sides are called
  std::function<Sides()> open;
  std::function<Likeness(const BoundCase& left, const BoundCase& right)> compare;
};

// Each case is compared in a turn that is not timed, and then timed `runs` times. Prints a line for
// each case with the median times; writes the single times to the plan's result. Returns 1 when a
// case differs, crashes or times out, or could not be launched, else 0.
int run_side_by_side(const Plan& plan, unsigned runs, const SideBySide& what);

} // namespace gputest::runtime
