// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the trace of a launch on the model of a GPU, and skips cycles in which nothing happens.
//
// Groups go to cores in turn, as many as a core holds. A group that ends makes room for the next. A
// core's scheduler issues instructions of one warp until the warp waits (for data or at a barrier)
// or ends. Then it issues those of another warp that is ready. docs/internals/memory.md describes
// the model.
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

// The counts of one reference for all warps together.
struct ReferenceCount {
  std::uint64_t executions = 0;               // warp instructions
  std::uint64_t work_items = 0;               // those that took part
  std::uint64_t transactions = 0, fewest = 0; // sectors of the nearest cache, or passes of local
                                              // memory
  std::uint64_t hits = 0, misses = 0;         // sectors in the nearest cache
  std::uint64_t reloads = 0;                  // lines that were evicted before
  Cycles lost = 0;                            // to other warps (monitor.h)
  Cycles waiting = 0; // cycles of warps beyond the issue; warps that wait at the same time count
                      // separately
  std::map<std::int64_t, std::uint64_t> strides{}; // bytes between neighbouring work-items, the
                                                   // most frequent distance of each execution
};

// Lines that one warp needs again after another has evicted them from its core's cache.
struct Interference {
  std::uint64_t lines = 0;
  Cycles waiting = 0;             // of warps, until the last such line was there
  std::set<std::uint64_t> sets{}; // of the cache
};

// The cycles that one warp lost at one reference.
struct Loss {
  Cycles evicted = 0; // because other warps had evicted lines
  Cycles queued = 0;  // otherwise, because caches and DRAM were busy
};

// A time in which a warp runs or waits. Adjacent spans of one kind are merged.
struct WarpSpan {
  enum class Kind : std::uint8_t { Runs, WaitsForMemory, WaitsAtBarrier };
  Kind kind = Kind::Runs;
  std::uint32_t warp = 0; // in the trace
  std::uint32_t core = 0;
  std::uint32_t reference = 0; // WaitsForMemory
  Cycles begin = 0, end = 0;
};

// Counts of one set of the nearest caches, for all cores together.
struct SetCount {
  std::uint32_t misses = 0;  // requests that had to load something
  std::uint32_t evicted = 0; // of these: lines that another warp had evicted
};

struct RunCount {
  Cycles cycles = 0;
  Cycles lost = 0;                // with `monitor`: cycles lost to interference (monitor.h)
  std::uint64_t instructions = 0; // of warps
  std::vector<ReferenceCount> references{};
  // By the reference that needs the line, and the one that evicted it.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Interference> interferences{};
  std::vector<LevelCount> caches{}; // by level
  std::uint64_t dram_requests = 0, dram_row_hits = 0;
  // With `choices`: for each choice among several ready warps, the trace's number of the one that
  // went on. Everything else follows from the trace and the GPU.
  std::vector<std::uint32_t> choices{};
  // With `monitor`: losses by warp and reference.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Loss> losses{};
  std::uint64_t choices_made = 0; // the number of choices, also without `choices`
  // With `spans`: what each warp did when.
  std::vector<WarpSpan> spans{};
  // With `step`: by set and step of time.
  std::vector<std::vector<SetCount>> sets{};
};

// Returns the lost part of the cycles, 0 to 1.
inline double share(Cycles lost, Cycles cycles) {
  return cycles == 0 ? 0 : static_cast<double>(lost) / static_cast<double>(cycles);
}

struct RunSettings {
  WarpChoice choice{};
  std::vector<LayoutChange> changes{};
  std::optional<std::uint32_t> locked{};       // an object that is locked in one way of the nearest
                                               // caches as far as it fits (hierarchy.h)
  std::optional<std::uint32_t> in_registers{}; // a private array that takes no memory
  std::optional<std::uint32_t> as_global{}; // a __constant object that is read like global memory
  // A global object that work-groups load once, tile by tile, into local memory (tiles.h).
  struct Tiled {
    std::uint32_t object = 0;
    bool padded = false; // a word of local memory is left free behind each row of banks
  };
  std::optional<Tiled> tiled{};
  bool alone = false;   // no warp loses lines to another (hierarchy.h)
  bool strides = false; // counts strides
  bool choices = false; // are listed
  bool monitor = false; // measures losses
  // By warp * references + reference: whether all work-items of the warp surely hit the cache
  // there. Empty: nothing is known.
  std::span<const std::uint8_t> sure_hits{};
  bool spans = false;           // lists RunCount::spans
  std::optional<Cycles> step{}; // of RunCount::sets, which are counted only with it
};

// Runs a trace that was made for the GPU's warp size. Equal arguments give equal counts. Throws
// model::FormatError if a group does not fit into a core, or if listed choices do not fit the run.
RunCount run(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings = {});

} // namespace gputest::memory
