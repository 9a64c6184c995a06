// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Caches and DRAM together: serves requests and says when their data arrive.
#pragma once

#include "memory/model/cache.h"
#include "memory/model/coalesce.h"
#include "memory/model/dram.h"

#include <cstdint>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gputest::memory {

// Who makes a request, to recognise lines that one warp evicts and another one needs.
struct Requester {
  std::size_t core = 0;
  std::uint32_t warp = 0, reference = 0;
};

enum class Operation { Read, Write, Atomic };

// The result of a request in the nearest cache.
struct Served {
  Cycles done = 0;               // when all data are read, or accepted
  unsigned hits = 0, misses = 0; // sectors
  unsigned reloads = 0;          // lines that were evicted before and needed again
  bool interference = false;     // another warp had evicted the line
  std::uint32_t evictor = 0;     // with interference: the reference that did it
  std::uint64_t set = 0;         // with interference: the set of the cache
  Cycles ends = 0;               // when an atomic operation has had its turn
};

struct LevelCount {
  std::uint64_t hits = 0, misses = 0; // sectors
};

class Hierarchy {
public:
  // `alone`: a line of the nearest cache, or of a cache for textures, that another warp evicted
  // counts as still there. This gives the launch's time if warps did not disturb each other there.
  Hierarchy(const Gpu& gpu, bool alone);

  // Locks lines [begin, end) in one way of the nearest caches; other lines use the other ways. To
  // be called before the first request, and only if these caches have at least two ways.
  void lock(std::uint64_t begin, std::uint64_t end);

  // The launch has ended, and the next one begins at cycle 0. Shared caches keep their lines. All
  // others write back what they have changed, and are empty, as the caches of a GPU's core are when
  // a launch begins. Counts begin anew. `alone`: of the next launch.
  void end_launch(bool alone);

  // Serves a request for one line that comes at `at`. Requests are served in the order of calls.
  // `turns`: for an atomic operation, how many work-items update the same place, one a cycle. With
  // CacheLevel::update_cycles, sectors of one bank are updated one after the other.
  Served request(const Requester& who, Cycles at, const LineRequest& line, Operation operation,
                 unsigned turns = 1);

  // Reads an address of __constant memory through the core's cache for it. `misses`: 1 or 0.
  Served read_constant(const Requester& who, Cycles at, std::uint64_t address);
  // Reads an address through the core's cache for textures, whose evictions count as those of the
  // nearest cache do. `misses`: 1 or 0.
  Served read_texture(const Requester& who, Cycles at, std::uint64_t address);

  const Cache& nearest(std::size_t core) const {
    return levels_.front().caches[levels_.front().cache->shared ? 0 : core];
  }
  const std::vector<LevelCount>& levels() const { return counts_; }
  const DramBanks& dram() const { return dram_; }

private:
  struct Level {
    const CacheLevel* cache = nullptr;
    std::vector<Cache> caches;                  // one in all, or one for each core
    std::vector<std::vector<Cycles>> bank_free; // by cache and bank: when it is free
    std::vector<Cycles> port_free;              // by core: when its way to the cache is free
  };
  struct Eviction {
    std::uint32_t warp = 0, reference = 0;
  };
  using Evictions = std::unordered_map<std::uint64_t, Eviction>; // by line
  // Caches of cores beside the nearest ones.
  struct Side {
    CacheLevel level;
    std::vector<Cache> caches;        // by core
    std::vector<Evictions> evicted{}; // by core; has none if they are not counted
  };
  enum class Brings { Nothing, Data };

  Cycles read(std::size_t level, const Requester& who, Cycles at, const LineRequest& line,
              Served* served, Brings brings = Brings::Nothing);
  Cycles write(std::size_t level, const Requester& who, Cycles at, const LineRequest& line,
               Served* served);
  Cycles fill(std::size_t level, const Requester& who, Cycles at, CacheLine& line,
              std::uint32_t missing);
  CacheLine& take_line(std::size_t level, const Requester& who, Cycles at, std::uint64_t number,
                       Served* served);
  static void take_place(Evictions& gone, const Requester& who, std::uint64_t number,
                         const std::optional<CacheLine>& evicted, Served* served);
  void drop(std::size_t level, const Requester& who, Cycles at, std::uint64_t number);
  void write_down(std::size_t level, const Requester& who, Cycles at, const CacheLine& line);
  Cycles access_dram(Cycles at, std::uint64_t number, unsigned sector);
  Cycles update(const Requester& who, Cycles at, const LineRequest& line, unsigned turns,
                Served& served);
  Cycles& bank(std::size_t level, std::size_t core, std::uint64_t number);
  Cycles begin(std::size_t level, std::size_t core, Cycles at, std::uint64_t number, Brings brings);
  Cache& cache(std::size_t level, std::size_t core);
  std::size_t first_shared() const;
  Side side(const SideCache& cache, Cycles hit_cycles) const;
  Served read_side(Side& side, const Requester& who, Cycles at, std::uint64_t number,
                   std::optional<Cycles> loaded);

  const Gpu& gpu_;
  bool alone_;
  std::uint64_t locked_begin_ = 0, locked_end_ = 0;
  std::vector<Level> levels_;
  std::vector<LevelCount> counts_;
  std::vector<Evictions> evicted_; // by nearest cache
  Side constants_, textures_;      // Gpu::constant_cache, Gpu::texture
  std::vector<std::unordered_set<std::uint64_t>> seen_constants_; // by core: lines
  bool kept_ = false; // the line of the present request counts as still there
  DramBanks dram_;
};

} // namespace gputest::memory
