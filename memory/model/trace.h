// What the warps of one launch did, in the order in which each did it: instructions that compute,
// references of memory with the places that the warp's work-items accessed, barriers. Times are
// none of its business; the model (machine.h) makes them.
#pragma once

#include "memory/model/gpu.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gputest::memory {

// A place in the source that accesses memory. What is inlined several times is several.
struct Reference {
  enum class Kind { Read, Write, Atomic };
  std::string file{}; // as #line names it
  unsigned line = 0, column = 0;
  Kind kind = Kind::Read;
  bool waits = true;      // Atomic: somebody uses what was there before
  int object = -1;        // index in the trace; -1: it shows when the kernel runs
  bool local = false;     // what it accesses is surely __local
  std::uint32_t size = 0; // bytes of a work-item
};

// Memory that work-items share: an argument or a variable.
struct MemoryObject {
  std::string name{};
  bool local = false;     // each work-group has its own
  std::uint64_t size = 0; // bytes
};

// What one work-item of a warp accesses.
struct Place {
  std::uint32_t lane = 0; // its number in the warp
  std::uint32_t object = 0;
  std::uint64_t offset = 0; // bytes from the object's begin
  std::uint32_t size = 0;   // bytes
};

struct WarpEvent {
  enum class Kind { Compute, Access, Barrier };
  Kind kind = Kind::Compute;
  std::uint64_t count = 0;     // Compute: instructions
  std::uint32_t reference = 0; // Access
  std::vector<Place> places{}; // Access: in order of lanes, one at least
};

struct LaunchTrace {
  std::string kernel;
  std::size_t warp_size = 0;
  std::vector<Reference> references;
  std::vector<MemoryObject> objects;

  struct Warp {
    std::size_t begin = 0, end = 0; // of its events in `code`
  };
  std::vector<std::uint32_t> groups{0}; // where each group's warps begin, and where the last's end
  std::vector<Warp> warps;
  std::vector<std::uint8_t> code; // WarpWriter writes it and WarpReader reads it

  std::size_t group_count() const { return groups.size() - 1; }
};

// Appends events of one warp to a trace, as few bytes as it can: places at a distance that is
// always the same are two numbers. The trace must have its references.
class WarpWriter {
public:
  explicit WarpWriter(LaunchTrace& trace);

  void compute(std::uint64_t instructions);
  void access(std::uint32_t reference, std::span<const Place> places);
  void barrier();
  void end(); // of the warp

private:
  void flush();
  void number(std::uint64_t value);

  LaunchTrace& trace_;
  std::uint64_t pending_ = 0; // instructions
};

class WarpReader {
public:
  WarpReader() = default;
  WarpReader(const LaunchTrace& trace, const LaunchTrace::Warp& warp)
      : trace_(&trace), at_(trace.code.data() + warp.begin), end_(trace.code.data() + warp.end) {}

  // Different at each event of a warp.
  const std::uint8_t* position() const { return at_; }

  // False: there is none any more. `event` keeps its memory from call to call.
  bool next(WarpEvent& event);

private:
  std::uint64_t number();

  const LaunchTrace* trace_ = nullptr;
  const std::uint8_t *at_ = nullptr, *end_ = nullptr;
};

} // namespace gputest::memory
