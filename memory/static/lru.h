// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Must, may and persistence analysis of least-recently-used caches for one work-item (Ferdinand and
// Wilhelm, Real-Time Systems 1999; Theiling, Ferdinand and Wilhelm 2000). Persistence uses younger
// sets (Huynh, Ju and Roychoudhury, RTAS 2011), because the original analysis is unsound.
#pragma once

#include "memory/model/gpu.h"
#include "model/names.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

// The proven behaviour of a reference if the work-item runs alone and begins with an empty cache.
enum class Certainty {
  NotRun,       // the work-item never executes it
  AlwaysHit,    // no sector is ever missing
  AlwaysMiss,   // no sector is ever there
  Persistent,   // each sector is missing at most once
  NotClassified // nothing is certain
};
constexpr auto names_of(Certainty) {
  return std::to_array<std::string_view>(
      {"-", "always hits", "always misses", "persistent", "not classified"});
}
using model::name_of;

// Lines are numbered from 0 on.
struct TouchedLine {
  std::uint32_t line = 0;
  std::uint32_t sectors = 0; // a bit for each
};

// One step of a work-item for the cache.
struct Touch {
  enum class Kind {
    Load,  // the line is cached afterwards
    Write, // a cached line is used; otherwise nothing happens (write-through)
    Drop,  // the line is not cached afterwards (atomic operations in front of a shared cache)
    Wait   // a barrier, without lines
  };
  Kind kind = Kind::Load;
  std::uint32_t reference = 0;
  bool exact = true; // all lines are touched, in this order; false: `times` of them
  std::uint32_t times = 1;
  std::vector<TouchedLine> lines{};
  bool anything = false; // also touches lines without numbers, of any set; `lines` are only
                         // possible
  std::uint64_t ranges = 0, overlaps = 0; // anything: a bit for the range of these lines, and one
                                          // for each range that overlaps it
};

struct TouchGraph {
  struct Point {
    bool reached = false;
    std::vector<Touch> touches{};
    std::vector<std::uint32_t> successors{}; // reached ones
  };
  std::vector<Point> points;      // the work-item begins at the first one
  std::vector<std::uint32_t> set; // the set of each line
  bool sectors = false;           // lines have several sectors
};

struct TouchCertainty {
  Certainty certainty = Certainty::NotRun;
  bool persists = false; // each sector is missing at most once, whatever the class
};

struct TouchResult {
  std::vector<std::vector<TouchCertainty>> certainty; // by point and touch; NotRun for Wait
  // By line: whether the work-item may use it again after a possible wait, so that other warps can
  // evict it in between.
  std::vector<bool> exposed;
};

TouchResult analyse_touches(const TouchGraph& graph, std::size_t ways);

} // namespace gputest::memory
