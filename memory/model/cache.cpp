// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/cache.h"

#include <algorithm>
#include <iterator>

namespace gputest::memory {

CacheLine* Cache::find(std::uint64_t number) {
  for (CacheLine& line : set(number))
    if (line.used != 0 && line.number == number) {
      line.used = ++uses_;
      return &line;
    }
  return nullptr;
}

CacheLine& Cache::allocate(std::uint64_t number, std::optional<CacheLine>& evicted) {
  std::unique_ptr<CacheLine[]>& lines = sets_[set_of(number)];
  if (!lines)
    lines = std::make_unique<CacheLine[]>(ways_);
  CacheLine* oldest = lines.get();
  for (CacheLine& line : set(number))
    if (line.used < oldest->used)
      oldest = &line;
  evicted.reset();
  if (oldest->used != 0)
    evicted = *oldest;
  *oldest = {.number = number, .used = ++uses_};
  return *oldest;
}

bool Cache::holds(std::uint64_t number) const {
  return std::ranges::any_of(
      set(number), [&](const CacheLine& line) { return line.used != 0 && line.number == number; });
}

const CacheLine* Cache::oldest(std::uint64_t line, std::size_t number) const {
  const std::span<CacheLine> lines = set(line);
  for (const CacheLine& one : lines) {
    const auto older =
        static_cast<std::size_t>(std::ranges::count_if(lines, [&](const CacheLine& other) {
          return other.used < one.used || (other.used == one.used && &other < &one);
        }));
    if (older == number)
      return one.used == 0 ? nullptr : &one;
  }
  return nullptr;
}

std::vector<CacheLine> Cache::lines() const {
  std::vector<CacheLine> all;
  for (const std::unique_ptr<CacheLine[]>& set : sets_)
    if (set)
      std::ranges::copy_if(std::span(set.get(), ways_), std::back_inserter(all),
                           [](const CacheLine& line) { return line.used != 0; });
  std::ranges::sort(all, {}, &CacheLine::used);
  return all;
}

void Cache::clear() {
  for (std::unique_ptr<CacheLine[]>& set : sets_)
    set.reset();
}

void Cache::data_are_there() {
  for (const std::unique_ptr<CacheLine[]>& set : sets_)
    if (set)
      for (CacheLine& line : std::span(set.get(), ways_))
        line.ready = {};
}

} // namespace gputest::memory
