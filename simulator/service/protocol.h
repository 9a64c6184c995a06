// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The protocol between a harness and the program gputest-simulator.
//
// The harness starts `gputest-simulator --serve <socket> <memory>` with two inherited descriptors.
// `socket` is one end of a stream socket pair. A message is a 4-byte length in the machine's byte
// order and that many bytes of JSON. Each request has one reply. `memory` is a memory file
// (memfd_create) that both map. The content of buffers and images is there, never in a message. The
// program ends when the socket is closed.
//
// Messages are the types of wire.h and those below, with a key for each member. A request's key
// "do" says which it is:
//
// {"do": "build", …}     Build → Built
// {"do": "launch", …}    Launch → Launched
// {"do": "explore", …}   Explore → Explored
//
// Every reply may also be a Refusal. With "fatal": true in a reply, the kernel may have damaged the
// process, which ends after the reply.
#pragma once

#include "ir/alignment.h"
#include "model/checks/finding.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gputest::simulator {

// Fills __local and __shared__ memory when a group begins, because devices leave any values there.
// As a number, the fill is neither small nor 0 nor NaN.
constexpr std::uint8_t kUnwrittenByte = 0xcb;

constexpr std::size_t kPageBytes = 4096;

// Returns the offset for content of `size` bytes in a memory file whose used part ends at `end`.
// The content's end, rounded up to kBufferAlignment, is the end of a page, so the next byte is
// unused.
constexpr std::size_t shared_offset(std::size_t end, std::size_t size) {
  const std::size_t first = (end + kPageBytes - 1) / kPageBytes * kPageBytes;
  const std::size_t whole = (size + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  const std::size_t pages = (whole + kPageBytes - 1) / kPageBytes * kPageBytes;
  return first + pages - whole;
}

// Returns the end of that content in the memory file.
constexpr std::size_t shared_end(std::size_t offset, std::size_t size) {
  const std::size_t whole = (size + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  return offset + whole;
}

// Parts of messages that both sides work with.
namespace wire {

struct Launched {
  double seconds = 0;
  std::string output{}; // the output of printf()
  std::vector<model::Finding> findings{};
  std::vector<model::Finding> notes{}; // what is no finding but worth knowing
  bool fatal = false;                  // the process may be damaged: end it
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

} // namespace wire
} // namespace gputest::simulator
