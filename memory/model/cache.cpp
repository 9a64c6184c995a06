// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/cache.h"

#include <algorithm>

namespace gputest::memory {

CacheLine* Cache::find(std::uint64_t number) {
  CacheLine* const lines = set(number);
  for (std::size_t way = 0; way < ways_; ++way)
    if (lines[way].used != 0 && lines[way].number == number) {
      lines[way].used = ++uses_;
      return &lines[way];
    }
  return nullptr;
}

CacheLine& Cache::allocate(std::uint64_t number, std::optional<CacheLine>& evicted) {
  CacheLine* const lines = set(number);
  CacheLine* oldest = lines;
  for (std::size_t way = 1; way < ways_; ++way)
    if (lines[way].used < oldest->used)
      oldest = &lines[way];
  evicted.reset();
  if (oldest->used != 0)
    evicted = *oldest;
  *oldest = {.number = number, .used = ++uses_};
  return *oldest;
}

bool Cache::holds(std::uint64_t number) const {
  const CacheLine* const lines = set(number);
  return std::any_of(lines, lines + ways_, [&](const CacheLine& line) {
    return line.used != 0 && line.number == number;
  });
}

const CacheLine* Cache::oldest(std::uint64_t line, std::size_t number) const {
  const CacheLine* const lines = set(line);
  for (std::size_t way = 0; way < ways_; ++way) {
    const auto older =
        static_cast<std::size_t>(std::count_if(lines, lines + ways_, [&](const CacheLine& other) {
          return other.used < lines[way].used ||
                 (other.used == lines[way].used && &other < &lines[way]);
        }));
    if (older == number)
      return lines[way].used == 0 ? nullptr : &lines[way];
  }
  return nullptr;
}

} // namespace gputest::memory
