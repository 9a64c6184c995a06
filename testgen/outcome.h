// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of launches of an input.
#pragma once

#include "runtime/cases/bytes.h"
#include "simulator/checks/finding.h"
#include "simulator/checks/monitor.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace gputest::testgen {

// The end of a launch that did not return normally.
enum class Fault { None, Endless, Crash };

// Where launches are ended, as Endless.
struct LaunchLimit {
  std::int64_t steps = 0; // the same on any machine (simulator/execute/steps.h)
  double seconds = 0;     // of a processor: for what makes no steps, and on a very slow machine

  LaunchLimit times(unsigned factor) const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return {steps > kMost / factor ? kMost : factor * steps, factor * seconds};
  }
};

// The result of a launch of the instrumented kernel.
struct Outcome {
  Fault fault = Fault::None;
  bool outside = false;               // accessed memory out of bounds; the access was redirected
  bool harmful = false;               // divided by zero, diverged at a barrier or the like
  std::vector<std::uint32_t> words{}; // outcome bits of the instrumented kernel
  std::vector<simulator::Monitor::Extent> extents{}; // by argument: the bounds of such accesses
  bool late = false;      // LaunchLimit::seconds has ended it: on another machine, it may go on
  std::int64_t steps = 0; // that it made (simulator/execute/steps.h)

  bool clean() const { return fault == Fault::None && !outside && !harmful; }
  bool has(unsigned bit) const {
    return bit / 32 < words.size() && (words[bit / 32] >> bit % 32 & 1) != 0;
  }
};

// The result of a launch of the original with all checks.
struct Checked {
  Fault fault = Fault::None;
  std::vector<simulator::Finding> findings;
  std::vector<runtime::Bytes> after; // by argument: what the launch left in buffers and images
  bool late = false;                 // as in Outcome

  // No fault and no findings, except that work-items may write the same value to the same place:
  // that leaves the same memory in every order. CUDA code that relies on warps in step has findings
  // with every input, and what it leaves here is what its author expects.
  bool valid() const;
  // valid(), and work-items write no place twice: CHECK reports nothing.
  bool silent() const { return fault == Fault::None && findings.empty(); }
};

// Whether all that is wrong are races, whose work-items run in some order all the same, and
// accesses out of bounds, which the simulator does not make.
bool can_be_assumed_fixed(const Checked& checked);

} // namespace gputest::testgen
