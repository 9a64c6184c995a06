// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The content of a set-associative cache with least-recently-used replacement. hierarchy.h adds
// times and lower levels.
#pragma once

#include "memory/model/gpu.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gputest::memory {

struct CacheLine {
  std::uint64_t number = 0;                 // address / line size
  std::uint64_t used = 0;                   // when it was used last, as a count of uses; 0: the
                                            // line is empty
  std::uint32_t valid = 0, dirty = 0;       // a bit for each sector
  std::array<Cycles, kMostSectors> ready{}; // when each sector's data arrive
};

class Cache {
public:
  explicit Cache(const CacheLevel& level)
      : ways_(level.ways), hashed_(level.hashed), sets_(level.sets()) {}

  // Finds a line by its number and marks it as used. Null: it is not cached.
  CacheLine* find(std::uint64_t number);

  // Makes room for a line that find() has not found: takes an empty line of the set or the least
  // recently used one. `evicted`: gets the old line.
  CacheLine& allocate(std::uint64_t number, std::optional<CacheLine>& evicted);

  // Whether the line is cached. Does not mark it as used.
  bool holds(std::uint64_t number) const;
  // Returns the line of the set that is evicted after `number` new lines; 0: the next one to be
  // evicted. Null: there is an empty line, or all old lines have been evicted.
  const CacheLine* oldest(std::uint64_t line, std::size_t number) const;

  // Returns copies of all lines, the least recently used one first.
  std::vector<CacheLine> lines() const;
  void clear();          // makes it empty
  void data_are_there(); // no sector of a line is on its way

  std::uint64_t set_of(std::uint64_t number) const {
    return (hashed_ ? spread(number) : number) % sets_.size();
  }

private:
  // The lines of the number's set. Nothing: none of them has been used.
  std::span<CacheLine> set(std::uint64_t number) const {
    CacheLine* const lines = sets_[set_of(number)].get();
    return {lines, lines == nullptr ? 0 : ways_};
  }

  std::size_t ways_;
  bool hashed_;
  std::uint64_t uses_ = 0;
  // Large GPUs have caches of many megabytes, of which a launch uses few sets: those it uses have
  // lines.
  std::vector<std::unique_ptr<CacheLine[]>> sets_;
};

} // namespace gputest::memory
