// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace of a launch: for each warp, in order, its computing instructions, its memory references
// with the places that the work-items accessed, and its barriers. A trace has no times; the model
// (machine.h) adds them.
#pragma once

#include "memory/model/gpu.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::memory {

// An instruction that accesses memory. Each inlined copy is a reference of its own.
struct Reference {
  enum class Kind { Read, Write, Atomic };
  std::string file{}; // the name in #line
  unsigned line = 0, column = 0;
  Kind kind = Kind::Read;
  bool waits = true;      // Atomic: the old value is used, so the warp waits
  int object = -1;        // index in the trace; -1: known only when the kernel runs
  bool local = false;     // it surely accesses __local memory
  std::uint32_t size = 0; // bytes for each work-item
};

// Memory that work-items share: an argument or a variable.
struct MemoryObject {
  std::string name{};
  bool local = false;     // each work-group has its own
  std::uint64_t size = 0; // bytes
};

// An access of one work-item of a warp.
struct Place {
  std::uint32_t lane = 0; // its number in the warp
  std::uint32_t object = 0;
  std::uint64_t offset = 0; // bytes from the object's begin
  std::uint32_t size = 0;   // bytes
};

// A need says which value of a load an instruction needs, and how long a compiler may put that
// off.
enum class Need : std::uint8_t {
  Last,     // what the last execution loads
  Before,   // what the one before it loads
  Unrolled, // as Last, but a compiler that unrolls the loop issues several loads first
  Unwound   // as Unrolled, in a loop with so few iterations that it disappears
};

struct WarpEvent {
  enum class Kind { Compute, Access, Barrier, Wait };
  Kind kind = Kind::Compute;
  std::uint64_t count = 0;     // Compute: instructions
  std::uint32_t reference = 0; // Access; Wait: the load whose value the next instruction needs
  Need need = Need::Last;      // Wait
  std::vector<Place> places{}; // Access: in the order of lanes, at least one
};

struct LaunchTrace {
  std::string kernel;
  std::size_t warp_size = 0;
  std::size_t unrolled = 1; // WarpShape
  Division division{};
  std::vector<Reference> references;
  std::vector<MemoryObject> objects;

  struct Warp {
    std::size_t begin = 0, end = 0; // its events in `code`
  };
  std::vector<std::uint32_t> groups{0}; // the first warp of each group, then the number of warps
  std::vector<Warp> warps;
  std::vector<std::uint8_t> code; // events, written by WarpWriter and read by WarpReader

  std::size_t group_count() const { return groups.size() - 1; }
};

// Appends the events of one warp to a trace in a compact form: places at equal distances take two
// numbers. The trace must have its references.
// An access that is not within its object.
struct OutsideAccess {
  std::uint32_t reference = 0;
  Place place{};
};

class WarpWriter {
public:
  explicit WarpWriter(LaunchTrace& trace);

  void compute(std::uint64_t instructions);
  void access(std::uint32_t reference, std::span<const Place> places);
  void barrier();
  // The next instruction needs the value of a load. Writes nothing if it surely has been waited
  // for.
  void wait(std::uint32_t reference, Need need);
  void end(); // ends the warp

  // The first access that is not within its object. The model cannot replay such a trace.
  const std::optional<OutsideAccess>& outside() const { return outside_; }

private:
  void flush();
  void number(std::uint64_t value);

  LaunchTrace& trace_;
  std::uint64_t pending_ = 0;     // instructions
  std::vector<bool> outstanding_; // by reference: loaded, and not surely waited for since
  std::optional<OutsideAccess> outside_;
};

class WarpReader {
public:
  WarpReader() = default;
  WarpReader(const LaunchTrace& trace, const LaunchTrace::Warp& warp)
      : trace_(&trace), at_(trace.code.data() + warp.begin), end_(trace.code.data() + warp.end) {}

  // A position that differs for each event of a warp.
  const std::uint8_t* position() const { return at_; }

  // Reads the next event; false: there is none. `event` can be reused to save allocations.
  bool next(WarpEvent& event);

private:
  std::uint64_t number();

  const LaunchTrace* trace_ = nullptr;
  const std::uint8_t *at_ = nullptr, *end_ = nullptr;
};

} // namespace gputest::memory
