// Must, may and persistence analysis of caches that evict the line used least recently, for one
// work-item (Ferdinand and Wilhelm, Real-Time Systems 1999; Theiling, Ferdinand and Wilhelm 2000).
// Persistence is that of younger sets (Huynh, Ju and Roychoudhury, RTAS 2011): the original one was
// found to be unsound.
#pragma once

#include "memory/model/gpu.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

// What is sure of a reference when the work-item runs alone and begins with an empty cache.
enum class Certainty {
  NotRun,       // the work-item never comes there
  AlwaysHit,    // no sector is ever missing
  AlwaysMiss,   // none is ever there
  Persistent,   // each sector is missing once at most
  NotClassified // anything may be
};

// Lines have numbers of their own here, from 0 on.
struct TouchedLine {
  std::uint32_t line = 0;
  std::uint32_t sectors = 0; // a bit for each
};

// One step of a work-item as the cache sees it.
struct Touch {
  enum class Kind {
    Load,  // the line is there afterwards
    Write, // it is used if it is there; else nothing happens (write-through)
    Drop,  // it is not there afterwards (atomic operations in front of a shared cache)
    Wait   // a barrier: no line
  };
  Kind kind = Kind::Load;
  std::uint32_t reference = 0;
  bool exact = true; // all lines are touched, in this order; else some of them: `times` lines
  std::uint32_t times = 1;
  std::vector<TouchedLine> lines{};
  bool anything = false; // besides, lines that have no number, of any set; and `lines` perhaps
  std::uint64_t ranges = 0, overlaps = 0; // anything: a bit for the range that they lie in, and one
                                          // for each range that has lines of it
};

struct TouchGraph {
  struct Point {
    bool reached = false;
    std::vector<Touch> touches{};
    std::vector<std::uint32_t> successors{}; // reached ones
  };
  std::vector<Point> points;      // the first is where the work-item begins
  std::vector<std::uint32_t> set; // of each line
  bool sectors = false;           // lines have several
};

struct TouchCertainty {
  Certainty certainty = Certainty::NotRun;
  bool persists = false; // whatever it is called, each sector is missing once at most
};

struct TouchResult {
  std::vector<std::vector<TouchCertainty>> certainty; // by point and touch; Wait: NotRun
  // Lines that the work-item uses again, if they are still there, after it may have waited: what
  // other warps can take from it.
  std::vector<bool> exposed;
};

TouchResult analyse_touches(const TouchGraph& graph, std::size_t ways);

} // namespace gputest::memory
