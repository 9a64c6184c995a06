#include "memory/model/cache.h"

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

} // namespace gputest::memory
