// Launches that begin with what the launch before has left in the shared cache, with misses counted
// by hand. Two cores have 64 bytes of L1 each, and share an L2 of 256 bytes: 4 sets of 2 lines of
// 32 bytes, each of 2 sectors.
#include "tests/catch.h"
#include "tests/memory/gpus.h"

#include <memory>
#include <utility>

using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

constexpr std::uint64_t kLine = 32, kSector = 16;

Gpu two_levels(CacheLevel::Write nearest = CacheLevel::Write::Through) {
  Gpu gpu = small_gpu();
  gpu.cores = 2;
  gpu.caches[0].write = nearest;
  gpu.caches.push_back({.name = "L2",
                        .size = 256,
                        .line = kLine,
                        .sector = kSector,
                        .ways = 2,
                        .shared = true,
                        .banks = 1,
                        .hit_cycles = 5,
                        .write = CacheLevel::Write::Back});
  return gpu;
}

// A work-item for each word of a sector.
std::vector<std::uint64_t> sector(std::uint64_t begin) {
  return {begin, begin + 4, begin + 8, begin + 12};
}

// A launch of one warp, whose data are an allocation at `address`.
LaunchTrace launch(std::vector<Step> steps, std::uint64_t address = 0x1000) {
  LaunchTrace trace = trace_of({{std::move(steps)}});
  trace.objects[0].address = address;
  return trace;
}

LaunchTrace after(const LaunchTrace& before, LaunchTrace trace) {
  trace.before = std::make_shared<const LaunchTrace>(before);
  return trace;
}

// Reads the first sector of lines [begin, end).
std::vector<Step> reads(std::uint64_t begin, std::uint64_t end) {
  std::vector<Step> steps;
  for (std::uint64_t line = begin; line < end; ++line)
    steps.push_back(read(sector(line * kLine)));
  return steps;
}

// Misses of L2.
std::uint64_t misses(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings = {}) {
  return run(gpu, trace, settings).caches[1].misses;
}

} // namespace

TEST_CASE("A consumer saves the misses of the sectors that the producer has written") {
  const LaunchTrace produces = launch({write(sector(0)), write(sector(16)), write(sector(32))}),
                    consumes = launch({read(sector(0)), read(sector(16)), read(sector(32)),
                                       read(sector(48)), read(sector(64))});
  for (const auto nearest : {CacheLevel::Write::Through, CacheLevel::Write::Back}) {
    const Gpu gpu = two_levels(nearest);
    const RunCount cold = run(gpu, consumes), warm = run(gpu, after(produces, consumes));
    CHECK(cold.caches[1].misses == 5);
    CHECK(cold.dram_requests == 5);
    CHECK(warm.caches[1].hits == 3);
    CHECK(warm.caches[1].misses == 2); // the second sector of line 1, and line 2
    CHECK(warm.dram_requests == 2);
    // L1 is empty, also where it has kept what was written.
    CHECK(warm.caches[0].misses == 5);
    CHECK(warm.caches[0].hits == 0);
    CHECK(warm.instructions == cold.instructions);
  }
}

TEST_CASE("The launch before takes no time of the one that follows") {
  const LaunchTrace one = launch({read(sector(0)), compute(1)});
  CHECK(run(two_levels(), one).cycles == 17); // 1 in L1, 5 in L2, 10 in DRAM, and 1
  CHECK(run(two_levels(), after(launch({write(sector(0))}), one)).cycles == 7);
  CHECK(run(two_levels(), after(launch({write(sector(64))}), one)).cycles == 17);
}

TEST_CASE("The lines that were used last are there") {
  const LaunchTrace sixteen = launch(reads(0, 16)); // L2 has 8
  CHECK(misses(two_levels(), after(sixteen, launch(reads(8, 16)))) == 0);
  CHECK(misses(two_levels(), after(sixteen, launch(reads(0, 8)))) == 8);
  // Lines 0, 4 and 8 share a set, and line 0 is used again before line 8 comes.
  std::vector<Step> again = reads(0, 5);
  again.push_back(read(sector(kSector)));
  again.push_back(read(sector(8 * kLine)));
  const LaunchTrace used = launch(std::move(again));
  CHECK(misses(two_levels(), after(used, launch(reads(0, 1)))) == 0);
  CHECK(misses(two_levels(), after(used, launch(reads(4, 5)))) == 1);
  CHECK(misses(two_levels(), after(used, launch(reads(8, 9)))) == 0);
}

TEST_CASE("Only allocations of both launches are the same memory") {
  const LaunchTrace consumes = launch(reads(0, 4));
  CHECK(misses(two_levels(), after(launch(reads(0, 4)), consumes)) == 0);
  CHECK(misses(two_levels(), after(launch(reads(0, 4), 0x2000), consumes)) == 4);
  // It was freed, and a smaller one is at its address.
  LaunchTrace large = launch(reads(0, 4));
  large.objects[0].size = 4096;
  CHECK(misses(two_levels(), after(large, consumes)) == 4);
  // An object of a test case has no address.
  LaunchTrace nowhere = launch(reads(0, 4));
  nowhere.objects[0].address.reset();
  LaunchTrace also_nowhere = launch(reads(0, 4));
  also_nowhere.objects[0].address.reset();
  CHECK(misses(two_levels(), after(nowhere, also_nowhere)) == 4);
}

TEST_CASE("What if: a changed layout is that of both launches") {
  const LaunchTrace consumes = after(launch(reads(0, 4)), launch(reads(0, 4)));
  CHECK(misses(two_levels(), consumes, {.changes = {{.object = 0, .moved = 64}}}) == 0);
  CHECK(misses(two_levels(), consumes, {.changes = {{.object = 0, .row = 64, .padding = 16}}}) ==
        0);
  CHECK(misses(two_levels(CacheLevel::Write::Back), consumes, {.locked = 0}) == 0);
  CHECK(misses(two_levels(), consumes, {.alone = true}) == 0);
}

TEST_CASE("A shared cache that is the nearest keeps its lines, too") {
  Gpu gpu = small_gpu();
  gpu.caches[0].shared = true;
  const LaunchTrace both = launch({read(sector(0)), read(sector(16))});
  CHECK(run(gpu, both).caches[0].misses == 2);
  CHECK(run(gpu, after(launch({read(sector(0))}), both)).caches[0].misses == 1);
  // Nothing counts as evicted that the launch before has evicted.
  const RunCount count =
      run(gpu, after(launch({read(sector(0)), read(sector(32)), read(sector(64))}), both));
  CHECK(count.references[0].reloads == 0);
}
