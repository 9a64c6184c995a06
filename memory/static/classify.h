// Which references of a launch surely hit the nearest cache and which surely miss it, each
// work-item by itself.
#pragma once

#include "memory/model/gpu.h"
#include "memory/model/trace.h"
#include "memory/static/lru.h"
#include "memory/static/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gputest::memory {

struct StaticLaunch {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global_size{1, 1, 1}, local_size{1, 1, 1}, global_offset{0, 0, 0};
  std::vector<std::byte> arguments; // the block of arguments, as the kernel gets it
};

struct StaticReport {
  // Work-items whose lines fall together in the same way have one pattern: by pattern and
  // reference.
  std::vector<std::vector<Certainty>> patterns;
  // The pattern of each work-item: group by group, in order of their linear local ids.
  std::vector<std::uint32_t> items;
  // By reference: in some work-item it uses a line again, after that may have waited, that lines of
  // others can take the place of.
  std::vector<bool> faces_conflict;
  // By reference: in some work-item it shows only when the kernel runs what it accesses, or it is
  // one of more than ValueSet::kMostFew places.
  std::vector<bool> unknown;

  Certainty certainty(std::size_t item, std::uint32_t reference) const {
    return patterns[items[item]][reference];
  }
  // The class for all work-items that come there; NotClassified where they differ, NotRun where
  // none comes.
  Certainty of_all(std::uint32_t reference) const;
};

// `trace`: its references and objects are looked at, not its warps. References of on-chip memory
// are NotRun: no cache is asked.
StaticReport classify(const StaticProgram& program, const Gpu& gpu, const LaunchTrace& trace,
                      const StaticLaunch& launch);

// "always hits", "always misses", "persistent", "not classified"; NotRun: "-".
const char* name_of(Certainty certainty);

} // namespace gputest::memory
