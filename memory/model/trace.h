// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace of a launch: for each warp, in order, its computing instructions, its memory references
// with the places that the work-items accessed, and its barriers. A trace has no times; the model
// (machine.h) adds them.
#pragma once

#include "memory/model/gpu.h"
#include "memory/model/texels.h"

#include <cstdint>
#include <memory>
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
  bool waits = true;         // Atomic: the old value is used, so the warp waits
  int object = -1;           // index in the trace, or -1 if only a run shows it
  bool local = false;        // it surely accesses __local memory
  bool constant = false;     // it surely accesses __constant memory
  std::uint32_t size = 0;    // bytes for each work-item
  bool in_registers = false; // a private array that the GPU does not have in memory: no accesses
};

// An argument, a variable or an array.
struct MemoryObject {
  std::string name{};
  bool local = false;                // each work-group has its own
  std::uint64_t size = 0;            // bytes
  bool constant = false;             // __constant
  bool own = false;                  // a private array: each work-item has its own
  Indexed indexed = Indexed::None;   // own
  bool in_registers = false;         // own: the GPU does not have it in memory
  std::optional<ImageShape> image{}; // offsets are those of an image that lies row by row
  // It is a part of another object, which begins so many bytes before.
  std::optional<std::uint32_t> part_of{};
  std::uint64_t part_begin = 0;
  // Where it is in the memory of a device, which launches of a program share.
  std::optional<std::uint64_t> address{};
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
  // Access: in the order of lanes, at least one. A read of an image has up to 8 of a lane, those
  // that its filter needs.
  std::vector<Place> places{};
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
  // By reference: instructions of warps that read or write nothing but the border of an image. They
  // are no accesses. It may have fewer numbers than there are references.
  std::vector<std::uint64_t> at_border{};
  // The launch before this one, if what it leaves in shared caches is there when this one begins.
  std::shared_ptr<const LaunchTrace> before{};

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

  // Returns the place in the object of which its object is a part, if it is not in that part.
  Place settled(Place place) const;

  void compute(std::uint64_t instructions);
  void access(std::uint32_t reference, std::span<const Place> places);
  void access_border(std::uint32_t reference); // of an image, with all work-items
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

// Whether an access is not within its object.
bool leaves_an_object(const LaunchTrace& trace);

} // namespace gputest::memory
