// Requests through caches, with their cycles counted by hand.
#include "tests/catch.h"
#include "tests/memory/gpus.h"

using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

LineRequest line(std::uint64_t number, std::uint32_t sectors = 1, std::uint32_t covered = 0) {
  return {.number = number, .sectors = sectors, .covered = covered};
}

// Two cores with a cache of their own that is written through, and a shared one of 16 cycles.
Gpu two_levels() {
  Gpu gpu = small_gpu();
  gpu.cores = 2;
  gpu.caches[0].write = CacheLevel::Write::Through;
  gpu.caches.push_back({.name = "L2",
                        .size = 256,
                        .line = 32,
                        .sector = 16,
                        .ways = 2,
                        .shared = true,
                        .banks = 1,
                        .hit_cycles = 5,
                        .write = CacheLevel::Write::Back});
  return gpu;
}

} // namespace

TEST_CASE("A miss goes to DRAM, a hit does not, and the cache takes a line a cycle") {
  const Gpu gpu = small_gpu();
  Hierarchy hierarchy(gpu, false);
  const Served miss = hierarchy.request({}, 0, line(0), Operation::Read);
  CHECK(miss.done == 11); // 1 to look, 10 of DRAM
  CHECK(miss.misses == 1);
  const Served early = hierarchy.request({}, 0, line(0), Operation::Read);
  CHECK(early.hits == 1);
  CHECK(early.done == 11); // the data are still on their way
  CHECK(hierarchy.request({}, 20, line(0), Operation::Read).done == 21);
  CHECK(hierarchy.request({}, 20, line(0), Operation::Read).done == 22); // enters at 21
  CHECK(hierarchy.levels()[0].hits == 3);
  CHECK(hierarchy.levels()[0].misses == 1);
  CHECK(hierarchy.dram().requests() == 1);
}

TEST_CASE("Write back: a write loads its line, and the line goes to DRAM when it is evicted") {
  const Gpu gpu = small_gpu();
  Hierarchy hierarchy(gpu, false);
  CHECK(hierarchy.request({}, 0, line(0), Operation::Write).done == 11);
  CHECK(hierarchy.request({}, 100, line(2), Operation::Read).done == 111);
  CHECK(hierarchy.dram().requests() == 2);
  // Line 0 is evicted at 200 and goes first: DRAM is free for line 4 from 210 on.
  CHECK(hierarchy.request({}, 200, line(4), Operation::Read).done == 220);
  CHECK(hierarchy.dram().requests() == 4);
}

TEST_CASE("Write back: what is written whole is not loaded") {
  const Gpu gpu = small_gpu();
  Hierarchy hierarchy(gpu, false);
  CHECK(hierarchy.request({}, 0, line(0, 1, 1), Operation::Write).done == 1);
  CHECK(hierarchy.dram().requests() == 0);
  CHECK(hierarchy.request({}, 10, line(0), Operation::Read).done == 11);
}

TEST_CASE("Write through: nobody waits, and no line is taken") {
  Gpu gpu = small_gpu();
  gpu.caches[0].write = CacheLevel::Write::Through;
  Hierarchy hierarchy(gpu, false);
  CHECK(hierarchy.request({}, 0, line(0), Operation::Write).done == 0);
  CHECK(hierarchy.dram().requests() == 1);
  CHECK(hierarchy.request({}, 50, line(0), Operation::Read).misses == 1);
}

TEST_CASE("A miss is looked for in the next level, whose lines are larger") {
  const Gpu gpu = two_levels();
  Hierarchy hierarchy(gpu, false);
  // 1 to look in L1, 5 in L2, 10 of DRAM.
  CHECK(hierarchy.request({.core = 0}, 0, line(0), Operation::Read).done == 16);
  // The other core finds it in L2; its neighbour, the line's other sector, is not there.
  CHECK(hierarchy.request({.core = 1}, 100, line(0), Operation::Read).done == 106);
  CHECK(hierarchy.request({.core = 1}, 200, line(1), Operation::Read).done == 216);
  CHECK(hierarchy.levels()[1].hits == 1);
  CHECK(hierarchy.levels()[1].misses == 2);
}

TEST_CASE("A shared cache's bank takes a line a cycle, of all cores") {
  const Gpu gpu = two_levels();
  Hierarchy hierarchy(gpu, false);
  hierarchy.request({.core = 0}, 0, line(0), Operation::Read);
  hierarchy.request({.core = 0}, 50, line(4), Operation::Read);
  CHECK(hierarchy.request({.core = 1}, 100, line(0), Operation::Read).done == 106);
  CHECK(hierarchy.request({.core = 0}, 100, line(8), Operation::Read).misses == 1);
  CHECK(hierarchy.request({.core = 1}, 99, line(4), Operation::Read).done == 108); // in L2 at 103
}

TEST_CASE("Atomic operations are done where cores meet, and nearer caches lose the line") {
  const Gpu gpu = two_levels();
  Hierarchy hierarchy(gpu, false);
  hierarchy.request({.core = 0}, 0, line(0), Operation::Read);
  // 5 in L2, and 3 more work-items one after the other.
  CHECK(hierarchy.request({.core = 0}, 100, line(0), Operation::Atomic, 4).done == 108);
  CHECK(hierarchy.request({.core = 0}, 200, line(0), Operation::Read).misses == 1);
  const Gpu alone = small_gpu(); // no level is shared
  Hierarchy nearest(alone, false);
  CHECK(nearest.request({}, 0, line(0), Operation::Atomic, 1).done == 10);
}

TEST_CASE("A cache that validates what is written loads a sector when somebody reads it") {
  Gpu gpu = two_levels();
  const auto requests = [&](CacheLevel::Write write) {
    gpu.caches[1].write = write;
    Hierarchy hierarchy(gpu, false);
    hierarchy.request({}, 0, line(0), Operation::Write); // a part of the sector
    hierarchy.request({}, 20, line(0), Operation::Write);
    const std::uint64_t written = hierarchy.dram().requests();
    CHECK(hierarchy.levels()[1].hits == 1);
    CHECK(hierarchy.levels()[1].misses == 1);
    hierarchy.request({}, 40, line(0), Operation::Read);
    return std::pair(written, hierarchy.dram().requests());
  };
  CHECK(requests(CacheLevel::Write::Back) == std::pair<std::uint64_t, std::uint64_t>{1, 1});
  CHECK(requests(CacheLevel::Write::Validate) == std::pair<std::uint64_t, std::uint64_t>{0, 1});
}

TEST_CASE("Where the nearest cache is shared an atomic operation hits it like a read") {
  Gpu gpu = small_gpu();
  gpu.caches[0].shared = true;
  Hierarchy hierarchy(gpu, false);
  const Served first = hierarchy.request({}, 0, line(0), Operation::Atomic);
  CHECK(first.misses == 1);
  CHECK(first.done == 11);
  const Served second = hierarchy.request({}, 20, line(0), Operation::Atomic);
  CHECK(second.hits == 1);
  CHECK(second.misses == 0);
  CHECK(second.done == 21);
  CHECK(hierarchy.levels().front().hits == 1);
}

TEST_CASE("A line that another warp evicted is interference; one's own is not") {
  const Gpu gpu = small_gpu(); // lines 0, 2 and 4 share 2 ways
  const auto load = [](Hierarchy& hierarchy, std::uint32_t warp, std::uint64_t number, Cycles at) {
    return hierarchy.request({.core = 0, .warp = warp, .reference = 10 + warp}, at, line(number),
                             Operation::Read);
  };
  Hierarchy hierarchy(gpu, false);
  load(hierarchy, 1, 0, 0);
  load(hierarchy, 1, 2, 100);
  load(hierarchy, 2, 4, 200);                      // evicts 0
  const Served again = load(hierarchy, 1, 0, 300); // evicts 2
  CHECK(again.reloads == 1);
  CHECK(again.interference);
  CHECK(again.evictor == 12);
  CHECK(again.done == 311);
  const Served own = load(hierarchy, 1, 2, 400);
  CHECK(own.reloads == 1);
  CHECK_FALSE(own.interference);
  // Had warp 2 not disturbed it, the line would have been there.
  Hierarchy undisturbed(gpu, true);
  load(undisturbed, 1, 0, 0);
  load(undisturbed, 1, 2, 100);
  load(undisturbed, 2, 4, 200);
  CHECK(load(undisturbed, 1, 0, 300).done == 301);
  CHECK(load(undisturbed, 1, 2, 400).done == 411);
}

TEST_CASE("Hashed, lines at one distance use many sets and banks") {
  Gpu gpu = small_gpu();
  gpu.caches[0] = {.name = "L1",
                   .size = 16384,
                   .line = 16,
                   .sector = 16,
                   .ways = 4,
                   .banks = 16,
                   .hit_cycles = 1};
  const auto hits = [&](bool hashed) {
    gpu.caches[0].hashed = hashed;
    Hierarchy hierarchy(gpu, false);
    for (unsigned round = 0; round < 2; ++round)
      for (std::uint64_t i = 0; i < 64; ++i)
        hierarchy.request({}, 0, line(256 * i), Operation::Read);
    return hierarchy.levels()[0].hits;
  };
  CHECK(hits(false) == 0); // 4 lines of one set
  CHECK(hits(true) > 60);
}

TEST_CASE("A bank updates its sectors one after the other") {
  Gpu gpu = two_levels();
  gpu.caches[0].line = 32;
  gpu.caches[1].update_cycles = 4;
  Hierarchy hierarchy(gpu, false);
  const auto served = [&](Cycles at, const LineRequest& what, unsigned turns = 1) {
    return hierarchy.request({}, at, what, Operation::Atomic, turns);
  };
  const auto update = [&](Cycles at, const LineRequest& what, unsigned turns = 1) {
    return served(at, what, turns).done;
  };
  hierarchy.request({}, 0, line(0, 3), Operation::Read);
  hierarchy.request({}, 0, line(1, 3), Operation::Read);
  CHECK(update(100, line(0)) == 105);
  CHECK(update(100, line(0)) == 109);
  CHECK(update(100, line(1)) == 113); // of the same bank
  CHECK(update(200, line(0, 3)) == 209);
  CHECK(update(200, line(0)) == 213);
  CHECK(update(300, line(0), 3) == 307); // three work-items at one place
  CHECK(update(300, line(0)) == 311);
  // An update has happened when it has had its turn, though its value comes from DRAM later.
  const Served missing = served(400, line(64));
  CHECK(missing.ends == 404);
  CHECK(missing.done > 404);
  // Two banks: of line by line, or of two lines each.
  gpu.caches[1].banks = 2;
  const auto second = [&] {
    Hierarchy banks(gpu, false);
    banks.request({}, 0, line(0, 3), Operation::Read);
    banks.request({}, 0, line(1, 3), Operation::Read);
    banks.request({}, 100, line(0), Operation::Atomic);
    return banks.request({}, 100, line(1), Operation::Atomic).done;
  };
  CHECK(second() == 105);
  gpu.caches[1].bank_bytes = 2 * gpu.caches[1].line;
  CHECK(second() == 109);
}

TEST_CASE("A core's requests to the next cache follow each other, with data in twice the time") {
  Gpu gpu = two_levels();
  gpu.caches[1].banks = 4;
  gpu.caches[1].port_cycles = 3;
  Hierarchy hierarchy(gpu, false);
  for (const unsigned number : {0, 2, 4, 6})
    hierarchy.request({}, 0, line(number), Operation::Read);
  const auto read = [&](std::size_t core, std::uint64_t number) {
    return hierarchy.request({.core = core}, 100, line(number), Operation::Read).done;
  };
  CHECK(read(1, 0) == 106);
  CHECK(read(1, 2) == 109);
  hierarchy.request({.core = 1}, 100, line(4), Operation::Write);
  CHECK(read(1, 6) == 118); // behind the write, which goes at 107
  CHECK(read(0, 0) == 107); // another core's way; the bank is free at 102
}
