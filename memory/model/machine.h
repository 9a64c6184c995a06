// Runs the trace of a launch on the model of a GPU, cycle by cycle as far as something happens.
//
// Groups go to cores in turn, as many as a core holds; one that ends makes room for the next. A
// scheduler of a core issues the instructions of one warp until that waits, for data or at a
// barrier, or ends, and then those of one that is ready. Docs: docs/memory.md.
#pragma once

#include "memory/model/choice.h"
#include "memory/model/gpu.h"
#include "memory/model/hierarchy.h"
#include "memory/model/layout.h"
#include "memory/model/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace gputest::memory {

// What one reference of the source did, all warps together.
struct ReferenceCount {
  std::uint64_t executions = 0;               // warp instructions
  std::uint64_t work_items = 0;               // that took part in them
  std::uint64_t transactions = 0, fewest = 0; // sectors of the nearest cache; local memory: passes
  std::uint64_t hits = 0, misses = 0;         // sectors in the nearest cache
  std::uint64_t reloads = 0;                  // lines that had been there and were evicted
  Cycles lost = 0;                            // to other warps (monitor.h)
  Cycles waiting = 0; // of warps, beyond the issue; those of several warps at a time count each
  std::map<std::int64_t, std::uint64_t> strides{}; // bytes between neighbouring work-items: the
                                                   // most frequent one of each execution
};

// Lines that one warp needs again after another one evicted them from its core's cache.
struct Interference {
  std::uint64_t lines = 0;
  Cycles waiting = 0;             // of warps, until the last of such lines was there
  std::set<std::uint64_t> sets{}; // of the cache
};

// What one warp lost at one reference.
struct Loss {
  Cycles evicted = 0; // where other warps had evicted lines
  Cycles queued = 0;  // else: caches and DRAM were busy
};

// A warp runs, or waits. Neighbouring ones of the same kind are one.
struct WarpSpan {
  enum class Kind : std::uint8_t { Runs, WaitsForMemory, WaitsAtBarrier };
  Kind kind = Kind::Runs;
  std::uint32_t warp = 0; // in the trace
  std::uint32_t core = 0;
  std::uint32_t reference = 0; // WaitsForMemory
  Cycles begin = 0, end = 0;
};

// Lines of a set of the nearest caches, of all cores together.
struct SetCount {
  std::uint32_t misses = 0;  // requests that had to load something
  std::uint32_t evicted = 0; // of them: what another warp had evicted
};

struct RunCount {
  Cycles cycles = 0;
  Cycles lost = 0; // of them to interference, with `monitor`: the overhead (monitor.h)
  std::uint64_t instructions = 0; // of warps
  std::vector<ReferenceCount> references{};
  // By the reference that needs a line again, and the one that evicted it.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Interference> interferences{};
  std::vector<LevelCount> caches{}; // by level: sectors
  std::uint64_t dram_requests = 0, dram_row_hits = 0;
  // With `choices`: each time that several warps were ready the number of the one that went on, in
  // the trace. All else follows from the trace and the GPU.
  std::vector<std::uint32_t> choices{};
  // With `monitor`: what was lost, by the warp that lost it and the reference.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Loss> losses{};
  std::uint64_t choices_made = 0; // as many as `choices` are
  // With `spans`: what each warp did when.
  std::vector<WarpSpan> spans{};
  // With `step`: by set, and step of time in which the request came.
  std::vector<std::vector<SetCount>> sets{};
};

// The part of the cycles that is lost.
inline double share(Cycles lost, Cycles cycles) {
  return cycles == 0 ? 0 : static_cast<double>(lost) / static_cast<double>(cycles);
}

struct RunSettings {
  WarpChoice choice{};
  std::vector<LayoutChange> changes{};
  std::optional<std::uint32_t> locked{}; // an object, as much of which as a way holds is locked in
                                         // the nearest caches (hierarchy.h)
  bool alone = false;                    // no warp loses a line to another one (hierarchy.h)
  bool strides = false;                  // are counted
  bool choices = false;                  // are listed
  bool monitor = false;                  // overhead is looked at
  // By warp and reference (warp * references + reference): that all its work-items that come there
  // surely hit the cache; empty: of none is it known.
  std::span<const std::uint8_t> sure_hits{};
  bool spans = false; // are listed
  Cycles step = 0;    // of RunCount::sets; 0: they are not counted
};

// The trace must be made for warps of the GPU's size. The same arguments give the same counts.
// Throws model::FormatError where a group does not fit into a core, and where listed choices are
// not those of such a run.
RunCount run(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings = {});

} // namespace gputest::memory
