// What a cache holds: tags, the least recently used of a set evicted first. Times and lower levels
// are the hierarchy's (hierarchy.h).
#pragma once

#include "memory/model/gpu.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gputest::memory {

struct CacheLine {
  std::uint64_t number = 0;                 // address / line size
  std::uint64_t used = 0;                   // a count of uses; 0: the line is empty
  std::uint32_t valid = 0, dirty = 0;       // a bit for each sector
  std::array<Cycles, kMostSectors> ready{}; // when each sector's data are there
};

class Cache {
public:
  explicit Cache(const CacheLevel& level)
      : ways_(level.ways), sets_(level.sets()), hashed_(level.hashed),
        lines_(level.ways * level.sets()) {}

  // By the line's number. A line that is found has been used; null: it is not there.
  CacheLine* find(std::uint64_t number);

  // An empty line of its set becomes its own, else the one that was not used for longest.
  // `evicted`: what was there. Only after find() found nothing.
  CacheLine& allocate(std::uint64_t number, std::optional<CacheLine>& evicted);

  // Without using it.
  bool holds(std::uint64_t number) const;
  // The line of its set that is evicted if `number` new ones have come before: number 0 is the next
  // to go. Null: there is an empty place, or so many have come that these go.
  const CacheLine* oldest(std::uint64_t line, std::size_t number) const;

  std::uint64_t set_of(std::uint64_t number) const {
    return (hashed_ ? spread(number) : number) % sets_;
  }

private:
  CacheLine* set(std::uint64_t number) { return &lines_[set_of(number) * ways_]; }
  const CacheLine* set(std::uint64_t number) const { return &lines_[set_of(number) * ways_]; }

  std::size_t ways_, sets_;
  bool hashed_;
  std::uint64_t uses_ = 0;
  std::vector<CacheLine> lines_; // set by set
};

} // namespace gputest::memory
