// Caches and DRAM together: when the data of a request are there, and what became of it.
#pragma once

#include "memory/model/cache.h"
#include "memory/model/coalesce.h"
#include "memory/model/dram.h"

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

namespace gputest::memory {

// Who asks: for lines that one warp evicts and another one needs.
struct Requester {
  std::size_t core = 0;
  std::uint32_t warp = 0, reference = 0;
};

enum class Operation { Read, Write, Atomic };

// What became of the sectors of one request in the nearest cache.
struct Served {
  Cycles done = 0;               // when all data are there, or were taken
  unsigned hits = 0, misses = 0; // sectors
  unsigned reloads = 0;          // lines that were there before and had been evicted
  bool interference = false;     // by another warp: by `evictor`
  std::uint32_t evictor = 0;     // the reference that evicted the line
  std::uint64_t set = 0;         // of the nearest cache, with interference
};

struct LevelCount {
  std::uint64_t hits = 0, misses = 0; // sectors
};

class Hierarchy {
public:
  // `alone`: a line that another warp evicted counts as still there: what the launch would take if
  // warps did not disturb each other in the nearest caches.
  Hierarchy(const Gpu& gpu, bool alone);

  // Lines [begin, end) lie in one way of the nearest caches from the start and stay there; the
  // other ways are for the rest. Before the first request, of caches with two ways at least.
  void lock(std::uint64_t begin, std::uint64_t end);

  // One line, at `at`. Requests are served in the order of calls. `turns`: of an atomic operation,
  // how many work-items update the same place, one a cycle.
  Served request(const Requester& who, Cycles at, const LineRequest& line, Operation operation,
                 unsigned turns = 1);

  const Cache& nearest(std::size_t core) const {
    return levels_.front().caches[levels_.front().cache->shared ? 0 : core];
  }
  const std::vector<LevelCount>& levels() const { return counts_; }
  const DramBanks& dram() const { return dram_; }

private:
  struct Level {
    const CacheLevel* cache = nullptr;
    std::vector<Cache> caches;                  // one, or one for each core
    std::vector<std::vector<Cycles>> bank_free; // of each
  };
  struct Eviction {
    std::uint32_t warp = 0, reference = 0;
  };

  Cycles read(std::size_t level, const Requester& who, Cycles at, const LineRequest& line,
              Served* served);
  Cycles write(std::size_t level, const Requester& who, Cycles at, const LineRequest& line,
               Served* served);
  Cycles fill(std::size_t level, const Requester& who, Cycles at, CacheLine& line,
              std::uint32_t missing);
  CacheLine& take_line(std::size_t level, const Requester& who, Cycles at, std::uint64_t number,
                       Served* served);
  void drop(std::size_t level, const Requester& who, Cycles at, std::uint64_t number);
  void write_down(std::size_t level, const Requester& who, Cycles at, const CacheLine& line);
  Cycles access_dram(Cycles at, std::uint64_t number, unsigned sector);
  Cycles update(const Requester& who, Cycles at, const LineRequest& line, unsigned turns,
                Served& served);
  Cycles& bank(std::size_t level, std::size_t core, std::uint64_t number);
  Cycles begin(std::size_t level, std::size_t core, Cycles at, std::uint64_t number);
  Cache& cache(std::size_t level, std::size_t core);

  const Gpu& gpu_;
  bool alone_;
  std::uint64_t locked_begin_ = 0, locked_end_ = 0;
  std::vector<Level> levels_;
  std::vector<LevelCount> counts_;
  std::vector<std::unordered_map<std::uint64_t, Eviction>> evicted_; // of the nearest caches
  bool kept_ = false; // the line that is being loaded counts as still there
  DramBanks dram_;
};

} // namespace gputest::memory
