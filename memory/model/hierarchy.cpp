// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/hierarchy.h"

#include <algorithm>
#include <array>
#include <bit>

namespace gputest::memory {
namespace {

unsigned count(std::uint32_t sectors) {
  return static_cast<unsigned>(std::popcount(sectors));
}

// Converts sectors of one cache to sectors of another with larger lines. A larger sector is covered
// if all of its parts are.
LineRequest as_lines_of(const CacheLevel& to, const CacheLevel& from, std::uint64_t number,
                        std::uint32_t sectors, std::uint32_t covered) {
  LineRequest request;
  const std::uint64_t begin = number * from.line;
  request.number = begin / to.line;
  const std::size_t smaller = to.sector / from.sector; // sectors of `from` in one of `to`
  std::array<std::size_t, kMostSectors> whole{};       // of each of `to`: covered ones of `from`
  for (; sectors != 0; sectors &= sectors - 1) {
    const auto sector = static_cast<unsigned>(std::countr_zero(sectors));
    const std::uint64_t at = begin + sector * from.sector;
    const std::size_t larger = at % to.line / to.sector;
    const std::uint32_t bit = std::uint32_t{1} << larger;
    request.sectors |= bit;
    if ((covered >> sector & 1) != 0 && ++whole[larger] == smaller)
      request.covered |= bit;
  }
  return request;
}

} // namespace

Hierarchy::Hierarchy(const Gpu& gpu, bool alone)
    : gpu_(gpu), alone_(alone), counts_(gpu.caches.size()), dram_(gpu.dram) {
  for (const CacheLevel& cache : gpu.caches) {
    const std::size_t several = cache.shared ? 1 : gpu.cores;
    levels_.push_back({.cache = &cache,
                       .caches = {},
                       .bank_free = std::vector(several, std::vector<Cycles>(cache.banks)),
                       .port_free = std::vector<Cycles>(gpu.cores)});
    for (std::size_t i = 0; i < several; ++i)
      levels_.back().caches.emplace_back(cache);
  }
  evicted_.resize(gpu.caches.front().shared ? 1 : gpu.cores);
  if (const std::optional<ConstantCache>& own = gpu.constant_cache) {
    constants_ = side(*own, own->hit_cycles);
    seen_constants_.resize(gpu.cores);
  }
  if (const std::optional<Texture>& own = gpu.texture; own && own->cache)
    textures_ = side(*own->cache, own->hit_cycles);
  textures_.evicted.resize(textures_.caches.size());
}

Hierarchy::Side Hierarchy::side(const SideCache& cache, Cycles hit_cycles) const {
  Side made{.level = {.name = "",
                      .size = cache.size,
                      .line = cache.line,
                      .sector = std::min(cache.line, gpu_.caches[first_shared()].sector),
                      .ways = cache.ways,
                      .hit_cycles = hit_cycles},
            .caches = {}};
  for (std::size_t core = 0; core < gpu_.cores; ++core)
    made.caches.emplace_back(made.level);
  return made;
}

// Returns the first shared cache, or else the last one.
std::size_t Hierarchy::first_shared() const {
  std::size_t level = 0;
  while (level + 1 < gpu_.caches.size() && !gpu_.caches[level].shared)
    ++level;
  return level;
}

Served Hierarchy::read_constant(const Requester& who, Cycles at, std::uint64_t address) {
  const std::uint64_t number = address / constants_.level.line;
  const bool first =
      !gpu_.constant_cache->again_cycles || !seen_constants_[who.core].contains(number);
  const Served served =
      read_side(constants_, who, at, number,
                first ? std::nullopt : std::optional(at + *gpu_.constant_cache->again_cycles));
  if (served.misses != 0)
    seen_constants_[who.core].insert(number);
  return served;
}

Served Hierarchy::read_texture(const Requester& who, Cycles at, std::uint64_t address) {
  return read_side(textures_, who, at, address / textures_.level.line, std::nullopt);
}

// `loaded`: when a line that is missing is there; nullopt: the first shared cache or DRAM says so.
Served Hierarchy::read_side(Side& side, const Requester& who, Cycles at, std::uint64_t number,
                            std::optional<Cycles> loaded) {
  Cache& own = side.caches[who.core];
  Served served{.done = at + side.level.hit_cycles};
  CacheLine* line = own.find(number);
  if (line) {
    served.hits = 1;
  } else {
    served.misses = 1;
    std::optional<CacheLine> evicted;
    line = &own.allocate(number, evicted);
    if (!side.evicted.empty())
      take_place(side.evicted[who.core], who, number, evicted, &served);
    served.set = own.set_of(number);
    const std::size_t level = first_shared();
    const auto all = static_cast<std::uint32_t>((1U << side.level.sectors()) - 1);
    const LineRequest next =
        as_lines_of(gpu_.caches[level], side.level, number, all, /*covered=*/0);
    if (alone_ && served.interference)
      line->ready[0] = served.done;
    else if (loaded)
      line->ready[0] = *loaded;
    else if (gpu_.caches[level].shared)
      line->ready[0] = read(level, who, served.done, next, nullptr);
    else
      for (std::uint32_t left = next.sectors; left != 0; left &= left - 1)
        line->ready[0] =
            std::max(line->ready[0], access_dram(served.done, next.number,
                                                 static_cast<unsigned>(std::countr_zero(left))));
  }
  served.done = std::max(served.done, line->ready[0]);
  return served;
}

void Hierarchy::lock(std::uint64_t begin, std::uint64_t end) {
  locked_begin_ = begin;
  locked_end_ = end;
  CacheLevel rest = gpu_.caches.front();
  rest.size -= rest.size / rest.ways;
  --rest.ways;
  for (Cache& cache : levels_.front().caches)
    cache = Cache(rest);
}

void Hierarchy::end_launch(bool alone) {
  for (std::size_t level = 0; level < levels_.size() && !levels_[level].cache->shared; ++level)
    for (std::size_t core = 0; core < levels_[level].caches.size(); ++core) {
      for (const CacheLine& line : levels_[level].caches[core].lines())
        write_down(level, {.core = core}, 0, line);
      levels_[level].caches[core].clear();
    }
  for (Level& level : levels_) {
    for (Cache& cache : level.caches)
      cache.data_are_there();
    for (std::vector<Cycles>& banks : level.bank_free)
      std::ranges::fill(banks, 0);
    std::ranges::fill(level.port_free, 0);
  }
  for (auto& gone : evicted_)
    gone.clear();
  for (Side* side : {&constants_, &textures_}) {
    for (Cache& cache : side->caches)
      cache.clear();
    for (Evictions& gone : side->evicted)
      gone.clear();
  }
  for (auto& seen : seen_constants_)
    seen.clear();
  std::ranges::fill(counts_, LevelCount());
  dram_ = DramBanks(gpu_.dram);
  alone_ = alone;
  kept_ = false;
}

Cache& Hierarchy::cache(std::size_t level, std::size_t core) {
  return levels_[level].caches[levels_[level].cache->shared ? 0 : core];
}

Served Hierarchy::request(const Requester& who, Cycles at, const LineRequest& line,
                          Operation operation, unsigned turns) {
  Served served;
  if (operation != Operation::Atomic && line.number >= locked_begin_ && line.number < locked_end_) {
    served.hits = count(line.sectors);
    counts_.front().hits += served.hits;
    served.done =
        begin(0, who.core, at, line.number, Brings::Nothing) + gpu_.caches.front().hit_cycles;
    return served;
  }
  switch (operation) {
  case Operation::Read:
    served.done = read(0, who, at, line, &served);
    break;
  case Operation::Write:
    served.done = write(0, who, at, line, &served);
    break;
  case Operation::Atomic:
    served.done = update(who, at, line, turns, served);
    break;
  }
  return served;
}

// Executes an atomic operation in the first cache that all cores share. Nearer caches are not used
// and lose the line.
Cycles Hierarchy::update(const Requester& who, Cycles at, const LineRequest& line, unsigned turns,
                         Served& served) {
  const CacheLevel& nearest = gpu_.caches.front();
  if (!nearest.shared)
    served.misses = count(line.sectors);
  std::size_t level = 0;
  for (; level < levels_.size() && !levels_[level].cache->shared; ++level)
    drop(level, who, at, line.number * nearest.line / gpu_.caches[level].line);
  if (level == levels_.size()) {
    const LineRequest last = as_lines_of(gpu_.caches.back(), nearest, line.number, line.sectors, 0);
    Cycles done = at;
    for (std::uint32_t left = last.sectors; left != 0; left &= left - 1)
      done = std::max(done,
                      access_dram(at, last.number, static_cast<unsigned>(std::countr_zero(left))));
    return done + turns - 1;
  }
  const LineRequest there = as_lines_of(gpu_.caches[level], nearest, line.number, line.sectors, 0);
  Cycles done = read(level, who, at, there, level == 0 ? &served : nullptr, Brings::Data);
  cache(level, who.core).find(there.number)->dirty |= there.sectors;
  const Cycles busy = gpu_.caches[level].update_cycles;
  Cycles& free = bank(level, who.core, there.number);
  if (busy == 0) {
    free += turns - 1;
    return done + turns - 1;
  }
  free += count(there.sectors) * busy + turns - 2; // one is taken
  served.ends = free;
  return done + (count(there.sectors) - 1) * busy + turns - 1;
}

Cycles& Hierarchy::bank(std::size_t level, std::size_t core, std::uint64_t number) {
  Level& all = levels_[level];
  std::vector<Cycles>& banks = all.bank_free[all.cache->shared ? 0 : core];
  return banks[all.cache->bank_of(number)];
}

// Returns when the cache's bank accepts the request.
Cycles Hierarchy::begin(std::size_t level, std::size_t core, Cycles at, std::uint64_t number,
                        Brings brings) {
  Cycles& port = levels_[level].port_free[core];
  const Cycles sent = std::max(at, port);
  port = sent + levels_[level].cache->port_cycles * (brings == Brings::Data ? 2 : 1);
  Cycles& free = bank(level, core, number);
  const Cycles taken = std::max(sent, free);
  free = taken + 1;
  return taken;
}

Cycles Hierarchy::read(std::size_t level, const Requester& who, Cycles at, const LineRequest& line,
                       Served* served, Brings brings) {
  const CacheLevel& settings = *levels_[level].cache;
  const Cycles taken = begin(level, who.core, at, line.number, brings);
  CacheLine* found = cache(level, who.core).find(line.number);
  const std::uint32_t hits = found ? line.sectors & found->valid : 0;
  const std::uint32_t missing = line.sectors & ~hits;
  counts_[level].hits += count(hits);
  counts_[level].misses += count(missing);
  if (served) {
    served->hits = count(hits);
    served->misses = count(missing);
  }
  if (!found)
    found = &take_line(level, who, taken, line.number, served);
  fill(level, who, taken + settings.hit_cycles, *found, missing);
  kept_ = false;
  Cycles done = taken + settings.hit_cycles;
  for (std::uint32_t left = line.sectors; left != 0; left &= left - 1)
    done = std::max(done, found->ready[static_cast<unsigned>(std::countr_zero(left))]);
  return done;
}

Cycles Hierarchy::write(std::size_t level, const Requester& who, Cycles at, const LineRequest& line,
                        Served* served) {
  const CacheLevel& settings = *levels_[level].cache;
  const Cycles taken = begin(level, who.core, at, line.number, Brings::Data);
  const bool validates = settings.write == CacheLevel::Write::Validate;
  CacheLine* found = cache(level, who.core).find(line.number);
  const std::uint32_t hits =
      found ? line.sectors & (found->valid | (validates ? found->dirty : 0)) : 0;
  counts_[level].hits += count(hits);
  counts_[level].misses += count(line.sectors & ~hits);
  if (served) {
    served->hits = count(hits);
    served->misses = count(line.sectors & ~hits);
  }
  if (settings.write == CacheLevel::Write::Through) {
    if (level + 1 == levels_.size()) {
      for (std::uint32_t left = line.sectors; left != 0; left &= left - 1)
        access_dram(taken, line.number, static_cast<unsigned>(std::countr_zero(left)));
    } else {
      const CacheLevel& next = *levels_[level + 1].cache;
      write(level + 1, who, taken + 1,
            as_lines_of(next, settings, line.number, line.sectors, line.covered), nullptr);
    }
    return taken;
  }
  if (!found)
    found = &take_line(level, who, taken, line.number, served);
  // A sector that is written whole need not be loaded.
  const std::uint32_t whole = line.covered & ~hits;
  for (std::uint32_t left = whole; left != 0; left &= left - 1)
    found->ready[static_cast<unsigned>(std::countr_zero(left))] = taken + settings.hit_cycles;
  found->valid |= whole;
  const std::uint32_t missing = validates ? 0 : line.sectors & ~hits & ~whole;
  fill(level, who, taken + settings.hit_cycles, *found, missing);
  kept_ = false;
  if (served && missing == 0)
    served->interference = false; // nothing had to be loaded again
  found->dirty |= line.sectors;
  Cycles done = taken + settings.hit_cycles;
  if (validates) // nothing is waited for
    return done;
  for (std::uint32_t left = line.sectors; left != 0; left &= left - 1)
    done = std::max(done, found->ready[static_cast<unsigned>(std::countr_zero(left))]);
  return done;
}

// Loads sectors of a line that is already in the cache.
Cycles Hierarchy::fill(std::size_t level, const Requester& who, Cycles at, CacheLine& line,
                       std::uint32_t missing) {
  if (missing == 0)
    return at;
  const CacheLevel& settings = *levels_[level].cache;
  Cycles done = at;
  if (kept_ && level == 0) {
    kept_ = false;
    for (std::uint32_t left = missing; left != 0; left &= left - 1)
      line.ready[static_cast<unsigned>(std::countr_zero(left))] = at;
  } else if (level + 1 == levels_.size()) {
    for (std::uint32_t left = missing; left != 0; left &= left - 1) {
      const auto sector = static_cast<unsigned>(std::countr_zero(left));
      line.ready[sector] = access_dram(at, line.number, sector);
      done = std::max(done, line.ready[sector]);
    }
  } else {
    const CacheLevel& next = *levels_[level + 1].cache;
    done = read(level + 1, who, at, as_lines_of(next, settings, line.number, missing, 0), nullptr);
    for (std::uint32_t left = missing; left != 0; left &= left - 1)
      line.ready[static_cast<unsigned>(std::countr_zero(left))] = done;
  }
  line.valid |= missing;
  return done;
}

CacheLine& Hierarchy::take_line(std::size_t level, const Requester& who, Cycles at,
                                std::uint64_t number, Served* served) {
  const CacheLevel& settings = *levels_[level].cache;
  Cache& own = cache(level, who.core);
  std::optional<CacheLine> evicted;
  CacheLine& line = own.allocate(number, evicted);
  if (level == 0) {
    take_place(evicted_[settings.shared ? 0 : who.core], who, number, evicted, served);
    if (served && served->reloads != 0) {
      served->set = own.set_of(number);
      kept_ = alone_ && served->interference;
    }
  }
  if (evicted)
    write_down(level, who, at, *evicted);
  return line;
}

// Notes whose line has taken the place of `evicted`, and looks who had evicted that line before.
void Hierarchy::take_place(Evictions& gone, const Requester& who, std::uint64_t number,
                           const std::optional<CacheLine>& evicted, Served* served) {
  if (const auto before = gone.find(number); before != gone.end()) {
    if (served) {
      served->reloads = 1;
      served->interference = before->second.warp != who.warp;
      served->evictor = before->second.reference;
    }
    gone.erase(before);
  }
  if (evicted)
    gone[evicted->number] = {.warp = who.warp, .reference = who.reference};
}

void Hierarchy::drop(std::size_t level, const Requester& who, Cycles at, std::uint64_t number) {
  if (CacheLine* const line = cache(level, who.core).find(number)) {
    write_down(level, who, at, *line);
    *line = {};
  }
}

// Writes data to the next level. No warp waits for that.
void Hierarchy::write_down(std::size_t level, const Requester& who, Cycles at,
                           const CacheLine& line) {
  if (line.dirty == 0)
    return;
  const CacheLevel& settings = *levels_[level].cache;
  if (level + 1 < levels_.size()) {
    const CacheLevel& next = *levels_[level + 1].cache;
    write(level + 1, who, at,
          as_lines_of(next, settings, line.number, line.dirty, line.dirty & line.valid), nullptr);
    return;
  }
  for (std::uint32_t left = line.dirty; left != 0; left &= left - 1)
    access_dram(at, line.number, static_cast<unsigned>(std::countr_zero(left)));
}

// Accesses DRAM for a sector of the last cache.
Cycles Hierarchy::access_dram(Cycles at, std::uint64_t number, unsigned sector) {
  const CacheLevel& last = gpu_.caches.back();
  return dram_.access(at, number * last.line + sector * last.sector);
}

} // namespace gputest::memory
