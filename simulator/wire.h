// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches and explorations give. These are also parts of messages (service/wire.h).
#pragma once

#include "model/checks/finding.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gputest::simulator::wire {

struct ByteRange { // of a buffer
  std::uint64_t begin = 0, size = 0;
  bool operator==(const ByteRange&) const = default;
};

// Bytes that a launch has accessed.
struct AccessedBytes {
  std::size_t argument = 0; // its position
  std::uint64_t begin = 0, size = 0;
  bool write = false, atomic = false;
  bool operator==(const AccessedBytes&) const = default;
};

struct Launched {
  double seconds = 0;
  std::string output{}; // the output of printf()
  std::vector<model::Finding> findings{};
  std::vector<model::Finding> notes{}; // what is no finding but worth knowing
  bool fatal = false;                  // the process may be damaged: end it
  bool late = false;                   // fatal: the limit of seconds has ended it
  // Where they were asked for: bytes of buffers. Empty, too, where they are too many.
  std::vector<AccessedBytes> accessed{};
  bool operator==(const Launched&) const = default;
};

struct Bounds {
  std::uint64_t interleavings = 100'000;
  double seconds = 60;
  std::uint64_t more = 0; // once outputs differ, exploration stops after this many more accesses;
                          // 0: it does not stop
  bool operator==(const Bounds&) const = default;
};

struct Explored {
  enum class End {
    Exhausted, // all interleavings are covered
    Interleavings,
    Seconds,
    Visits // one interleaving exceeds the bound of accesses
  };
  // Two accesses whose order changes the outputs.
  struct Dependence {
    model::Finding finding{};
    std::size_t before = 0, after = 0; // outcomes: indices into `schedules`
    bool operator==(const Dependence&) const = default;
  };
  std::string too_large{}; // why nothing was explored; or ""
  End end = End::Exhausted;
  std::string stopped_at{}; // the place in an interleaving with too many accesses
  std::uint64_t interleavings = 0, outcomes = 0; // outcomes: different ones
  // One for each set of outputs that differs; the first has no turns.
  std::vector<std::vector<model::Turn>> schedules{};
  std::vector<Dependence> dependences{};
  std::vector<model::Finding> findings{}; // divergent barriers, and faults
  double seconds = 0;
  bool fatal = false;
  bool operator==(const Explored&) const = default;
};

} // namespace gputest::simulator::wire
