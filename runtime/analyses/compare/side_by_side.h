// Every test case run in two ways, in turn and in one process: whether they leave the same memory,
// and what either costs.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/cases/memory_difference.h"
#include "runtime/plan/plan.h"

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

// What differs, argument by argument; none: nothing that counts.
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

// The left side runs each case twice first, so that what it does by itself from run to run is not
// taken for a difference; then both are compared, in a turn that is not timed, and at last timed
// `runs` times. Prints a line for each case with the median times; writes the single times to the
// plan's result. Returns 1 when a case differs, crashes or times out, could not be launched, or
// already writes out of bounds on the left, else 0.
int run_side_by_side(const Plan& plan, unsigned runs, const SideBySide& what);

} // namespace gputest::runtime
