// What launches of an input did.
#pragma once

#include "runtime/cases/bytes.h"
#include "simulator/checks/finding.h"
#include "simulator/checks/monitor.h"

#include <cstdint>
#include <vector>

namespace gputest::testgen {

enum class Fault { None, Endless, Crash };

// What a launch of the instrumented kernel did.
struct Outcome {
  Fault fault = Fault::None;
  bool outside = false;               // accesses out of bounds, which went elsewhere
  bool harmful = false;               // divided by zero, parted ahead of a barrier, and the like
  std::vector<std::uint32_t> words{}; // outcome bits, as the instrumented kernel has them
  std::vector<simulator::Monitor::Extent> extents{}; // by argument: accesses out of its bounds

  bool clean() const { return fault == Fault::None && !outside && !harmful; }
  bool has(unsigned bit) const {
    return bit / 32 < words.size() && (words[bit / 32] >> bit % 32 & 1) != 0;
  }
};

// What a launch of the original with all checks did.
struct Checked {
  Fault fault = Fault::None;
  std::vector<simulator::Finding> findings;
  std::vector<runtime::Bytes> after; // by argument: what the launch left in buffers and images

  // Work-items that write the same value to the same place leave the same memory in every order.
  bool valid() const;
};

} // namespace gputest::testgen
