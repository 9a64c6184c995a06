// Launches whose cycles are counted by hand. The GPU is that of gpus.h: an instruction takes a
// cycle, a hit 1, a miss 11.
#include "model/interface.h"
#include "tests/catch.h"
#include "tests/memory/gpus.h"

using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;

namespace {

Step local(std::vector<std::uint64_t> offsets) {
  return {.kind = Step::Kind::Local, .offsets = std::move(offsets)};
}

Cycles cycles(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings = {}) {
  return run(gpu, trace, settings).cycles;
}

} // namespace

TEST_CASE("Instructions are issued one after the other") {
  CHECK(cycles(small_gpu(), trace_of({{{compute(7)}}})) == 7);
  Gpu narrow = small_gpu();
  narrow.width = 1; // 4 cycles for each
  CHECK(cycles(narrow, trace_of({{{compute(7)}}})) == 28);
  CHECK(run(narrow, trace_of({{{compute(7)}}})).instructions == 7);
}

TEST_CASE("A warp waits for its data while another one runs") {
  const Step miss = read({0, 4, 8, 12});
  CHECK(cycles(small_gpu(), trace_of({{{miss, compute(1)}}})) == 12); // data at 11
  // Warp 1 computes from 1 to 9, and warp 0 goes on at 11.
  const LaunchTrace two = trace_of({{{miss, compute(1)}, {compute(8)}}});
  CHECK(cycles(small_gpu(), two) == 12);
  // It is at work until 21: who runs is not interrupted.
  CHECK(cycles(small_gpu(), trace_of({{{miss, compute(1)}, {compute(20)}}})) == 22);
  const RunCount count = run(small_gpu(), two);
  CHECK(count.references[0].executions == 1);
  CHECK(count.references[0].work_items == 4);
  CHECK(count.references[0].transactions == 1);
  CHECK(count.references[0].misses == 1);
  CHECK(count.references[0].waiting == 10); // from 1 to 11
}

TEST_CASE("An access that is not coalesced enters the cache line by line") {
  // 4 lines: DRAM takes them one after the other, from 1, 11, 21 and 31 on.
  const RunCount count = run(small_gpu(), trace_of({{{read({0, 16, 32, 48}), compute(1)}}}));
  CHECK(count.cycles == 42);
  CHECK(count.references[0].transactions == 4);
  CHECK(count.references[0].fewest == 1);
  // All hit: the last of 4 enters at 45 and is there at 46.
  CHECK(cycles(small_gpu(),
               trace_of({{{read({0, 16, 32, 48}), compute(1), read({0, 16, 32, 48})}}})) == 46);
}

TEST_CASE("All warps of a group meet at a barrier") {
  // Warp 0 is there at 1, warp 1 issues it at 22.
  CHECK(cycles(small_gpu(), trace_of({{{barrier(), compute(5)}, {compute(21), barrier()}}})) == 28);
  // Warps of another group do not wait for them.
  CHECK(cycles(small_gpu(), trace_of({{{barrier(), compute(5)}}, {{compute(21), barrier()}}})) ==
        28);
  CHECK(cycles(small_gpu(), trace_of({{{compute(2), barrier(), compute(2), barrier(), compute(1)},
                                       {barrier(), barrier(), compute(3)}}})) == 12);
}

TEST_CASE("A group that ends makes room for the next") {
  Gpu gpu = small_gpu();
  gpu.groups_per_core = 1;
  const LaunchTrace three = trace_of({{{compute(5)}}, {{compute(6)}}, {{compute(7)}}});
  CHECK(cycles(gpu, three) == 18);
  gpu.cores = 2; // the first core gets the third group at 5
  CHECK(cycles(gpu, three) == 12);
}

TEST_CASE("Which warp goes on is a choice where several are ready") {
  // The first data are there at 11, 21 and 31. Warp 0 computes until 61 and reads, warp 1 until 112
  // and reads. At 113 warp 0 is ready again, and warp 2 still is.
  std::vector<std::vector<Step>> warps;
  for (std::uint64_t warp = 0; warp < 3; ++warp)
    warps.push_back(
        {read({16 * warp}), compute(50), read({64 + 16 * warp}), compute(warp == 2 ? 100 : 1)});
  const LaunchTrace trace = trace_of({warps});
  const auto with = [&](WarpChoice::Kind kind, std::uint64_t seed = 1) {
    return cycles(small_gpu(), trace, {.choice = {.kind = kind, .seed = seed}});
  };
  // Warp 2 computes until 163, reads until 174, and computes 100.
  CHECK(with(WarpChoice::Kind::RoundRobin) == 274);
  // Warp 0 goes first, for one cycle.
  CHECK(with(WarpChoice::Kind::Oldest) == 275);
  std::set<Cycles> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    seen.insert(with(WarpChoice::Kind::Random, seed));
    CHECK(with(WarpChoice::Kind::Random, seed) == with(WarpChoice::Kind::Random, seed));
  }
  CHECK(seen.contains(274));
  CHECK(seen.contains(275));
  CHECK(choice_named("oldest") == WarpChoice::Kind::Oldest);
  CHECK_THROWS_WITH(choice_named("newest"),
                    ContainsSubstring("'newest' is none of round-robin, oldest, random"));
}

TEST_CASE("Who begins is a choice, and who goes on where a warp ends") {
  using Kind = WarpChoice::Kind;
  const auto choices = [](const LaunchTrace& trace, Kind kind, std::uint64_t seed = 1) {
    return run(small_gpu(), trace, {.choice = {.kind = kind, .seed = seed}, .choices = true})
        .choices;
  };
  // One of three warps begins, and one of the two others goes on; the last has no choice.
  const LaunchTrace three = trace_of({{{compute(1)}, {compute(2)}, {compute(3)}}});
  CHECK(choices(three, Kind::RoundRobin) == std::vector<std::uint32_t>{0, 1});
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    orders.insert(choices(three, Kind::Random, seed));
  CHECK(orders.size() == 6);
  // Warp 0 reads until 11. Warp 1 ends at 21: warp 2 is the next in turn, and warp 0 is older.
  const LaunchTrace one_ends = trace_of({{{read({0}), compute(10)}, {compute(20)}, {compute(20)}}});
  CHECK(choices(one_ends, Kind::RoundRobin) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(choices(one_ends, Kind::Oldest) == std::vector<std::uint32_t>{0, 1, 0});
}

TEST_CASE("Choices are listed, and make the same run again") {
  // As above: at 113 warps 0 and 2 are ready.
  std::vector<std::vector<Step>> warps;
  for (std::uint64_t warp = 0; warp < 3; ++warp)
    warps.push_back(
        {read({16 * warp}), compute(50), read({64 + 16 * warp}), compute(warp == 2 ? 100 : 1)});
  const LaunchTrace trace = trace_of({warps});
  using Kind = WarpChoice::Kind;
  for (const Kind kind : {Kind::RoundRobin, Kind::Oldest, Kind::Random}) {
    const RunCount first =
        run(small_gpu(), trace, {.choice = {.kind = kind, .seed = 5}, .choices = true});
    CHECK_FALSE(first.choices.empty());
    CHECK(cycles(small_gpu(), trace, {.choice = {.kind = Kind::Listed, .listed = first.choices}}) ==
          first.cycles);
  }
  const RunCount turns = run(small_gpu(), trace, {.choices = true});
  const RunCount oldest =
      run(small_gpu(), trace, {.choice = {.kind = Kind::Oldest}, .choices = true});
  CHECK(turns.choices != oldest.choices);
  CHECK(run(small_gpu(), trace).choices.empty());
  for (std::vector<std::uint32_t> others :
       {std::vector<std::uint32_t>{}, std::vector<std::uint32_t>(turns.choices.size(), 7)}) {
    CHECK_THROWS_WITH(run(small_gpu(), trace, {.choice = {.kind = Kind::Listed, .listed = others}}),
                      ContainsSubstring("the schedule is none of this launch of 'k' on 'small'"));
  }
  std::vector<std::uint32_t> more = turns.choices;
  more.push_back(1);
  CHECK_THROWS_WITH(run(small_gpu(), trace, {.choice = {.kind = Kind::Listed, .listed = more}}),
                    ContainsSubstring("none of this launch"));
}

TEST_CASE("Several schedulers issue at the same time") {
  Gpu gpu = small_gpu();
  gpu.schedulers = 2;
  CHECK(cycles(gpu, trace_of({{{compute(5)}, {compute(6)}, {compute(7)}}})) == 12);
}

TEST_CASE("Local memory: passes take a cycle each, and other warps' wait") {
  Gpu gpu = small_gpu();
  gpu.local_memory = {.size = 1024, .banks = 4, .bank_bytes = 4, .cycles = 6};
  CHECK(cycles(gpu, trace_of({{{local({0, 4, 8, 12})}}})) == 6);
  const RunCount conflict = run(gpu, trace_of({{{local({0, 16, 32, 48})}}}));
  CHECK(conflict.cycles == 9);
  CHECK(conflict.references[4].transactions == 4);
  CHECK(conflict.references[4].fewest == 1);
  // The second warp's begins at 4.
  CHECK(cycles(gpu, trace_of({{{local({0, 16, 32, 48})}, {local({0, 4, 8, 12})}}})) == 10);
  CHECK(run(gpu, trace_of({{{local({0})}}})).dram_requests == 0);
}

TEST_CASE("Without local memory __local is global memory, each group's its own") {
  const RunCount count = run(small_gpu(), trace_of({{{local({0})}}, {{local({0})}}}));
  CHECK(count.dram_requests == 2);
  CHECK(count.references[4].misses == 2);
}

TEST_CASE("Groups share a core's local memory") {
  Gpu gpu = small_gpu();
  gpu.local_memory = {.size = 256, .banks = 4, .bank_bytes = 4, .cycles = 6}; // one group's
  const LaunchTrace two = trace_of({{{compute(5)}}, {{read({0}), compute(5)}}});
  CHECK(cycles(gpu, two) == 21); // the second begins at 5
  gpu.local_memory->size = 128;
  CHECK_THROWS_WITH(run(gpu, two), ContainsSubstring("has 256 bytes of __local memory, and a core "
                                                     "of 'small' has 128"));
}

TEST_CASE("A group that no core can hold is refused") {
  Gpu gpu = small_gpu();
  gpu.warps_per_core = 1;
  CHECK_THROWS_WITH(run(gpu, trace_of({{{compute(1)}, {compute(1)}}})),
                    ContainsSubstring("has 2 warps, and a core of 'small' holds 1"));
}

TEST_CASE(
    "Atomic operations: work-items take turns, and one whose value nobody uses is not waited for") {
  const Step update{.kind = Step::Kind::Atomic, .offsets = {0, 0, 0, 0}};
  const Step add{.kind = Step::Kind::Add, .offsets = {0, 0, 0, 0}};
  CHECK(cycles(small_gpu(), trace_of({{{update, compute(1)}}})) == 14); // 10 and 3 turns more
  CHECK(cycles(small_gpu(), trace_of({{{add, compute(1)}}})) == 2);
}

TEST_CASE("A warp goes on after a load until an instruction needs the value") {
  Gpu gpu = small_gpu();
  gpu.dram.busy_cycles = 1; // data come 11 cycles after the load, whatever else does
  const auto with = [&](std::size_t loads, std::vector<Step> steps, std::size_t unrolled = 1) {
    gpu.loads_in_flight = loads;
    gpu.unrolled = unrolled;
    return cycles(gpu, trace_of({{std::move(steps)}}));
  };
  const Step load = read({0}), other = read({16}), third = read({32});
  CHECK(with(1, {load, compute(5), wait(), compute(1)}) == 17);
  CHECK(with(2, {load, compute(5), wait(), compute(1)}) == 12);
  CHECK(with(2, {load, compute(50), wait(), compute(1)}) == 52); // the value is long there
  CHECK(with(2, {load, other, wait(), compute(1)}) == 13);
  CHECK(with(2, {load, other, wait(Need::Before), compute(1)}) == 12);
  // With two in flight, the third load is issued when the first value is there.
  CHECK(with(2, {load, other, compute(2), third, wait(), compute(1)}) == 23);
  CHECK(with(3, {load, other, compute(2), third, wait(), compute(1)}) == 16);
  // Two iterations of a loop.
  const auto loop = [&](Need need) {
    return std::vector<Step>{load, wait(need), compute(1), other, wait(need), compute(1)};
  };
  CHECK(with(8, loop(Need::Unrolled)) == 24);
  CHECK(with(8, loop(Need::Unrolled), 2) == 14);
  CHECK(with(8, loop(Need::Unrolled), 3) == 4); // nothing behind the loop needs the values
  CHECK(with(8, loop(Need::Unwound)) == 24);
  CHECK(with(8, loop(Need::Unwound), 2) == 4);
  CHECK(with(1, loop(Need::Last)) == 24);
}

TEST_CASE("What is waited for is counted where it is waited for, and once") {
  Gpu gpu = small_gpu();
  gpu.dram.busy_cycles = 1;
  gpu.loads_in_flight = 4;
  const RunCount count =
      run(gpu, trace_of({{{read({0}), compute(4), wait(), compute(1), wait(), compute(1)}}}),
          {.monitor = true, .spans = true});
  CHECK(count.cycles == 13);
  CHECK(count.references[0].waiting == 6); // from 5 to 11
  REQUIRE(count.spans.size() == 3);
  CHECK(count.spans[1].kind == WarpSpan::Kind::WaitsForMemory);
  CHECK(count.spans[1].begin == 5);
  CHECK(count.spans[1].end == 11);
  // Two warps, one bank of DRAM: the second one's data are there at 21, 9 cycles later than without
  // the first, and it needs them at 17.
  gpu.dram.busy_cycles = 10;
  const Step miss = read({0}), other = read({16});
  const RunCount lost =
      run(gpu, trace_of({{{miss, wait(), compute(1)}, {other, compute(15), wait(), compute(1)}}}),
          {.monitor = true});
  CHECK(lost.references[0].waiting == 10 + 4); // from 1 to 11, and from 17 to 21
  CHECK(lost.references[0].lost == 4);         // of the 9
}

TEST_CASE("A launch ends when its atomic operations have had their turns") {
  Gpu gpu = small_gpu();
  gpu.caches[0].shared = true;
  const auto add = [](std::vector<std::uint64_t> offsets) {
    return Step{.kind = Step::Kind::Add, .offsets = std::move(offsets)};
  };
  // Warp 0 loads the line; the warps update it at 23, 21 and 22, and nobody waits for that.
  const LaunchTrace same = trace_of({{{read({0}), add({4})}, {compute(20), add({0})}, {add({0})}}});
  CHECK(cycles(gpu, same) == 24);
  gpu.caches[0].update_cycles = 5;
  CHECK(cycles(gpu, same) == 36); // the bank is free at 26, 31 and 36
}

TEST_CASE("A cache in the banks of local memory gives a word of each in a cycle") {
  Gpu gpu = small_gpu();
  gpu.local_memory = LocalMemory{.size = 1024, .banks = 4, .bank_bytes = 4, .cycles = 3};
  gpu.caches[0].banks = 4; // four lines a cycle
  // Both sides of a warp: four words of the same bank, and of four banks.
  const LaunchTrace same = trace_of({{{read({0, 16, 32, 48}), read({0, 16, 32, 48})}}}),
                    others = trace_of({{{read({0, 20, 40, 60}), read({0, 20, 40, 60})}}});
  CHECK(cycles(gpu, same) == cycles(gpu, others));
  gpu.caches[0].local_banks = true;
  CHECK(cycles(gpu, same) == cycles(gpu, others) + 3);
}

TEST_CASE("Interference is told by what was evicted and who did it, and taken out") {
  // One way for each of two sets: every line of warp 1 evicts one of warp 0.
  Gpu gpu = small_gpu();
  gpu.caches[0].size = 32;
  gpu.caches[0].ways = 1;
  const LaunchTrace trace = trace_of(
      {{{read({0}), barrier(), barrier(), read({0})}, {barrier(), write({32}), barrier()}}});
  const RunCount count = run(gpu, trace);
  REQUIRE(count.interferences.size() == 1);
  const auto& [references, found] = *count.interferences.begin();
  CHECK(references == std::pair<std::uint32_t, std::uint32_t>{0, 1});
  CHECK(found.lines == 1);
  CHECK(found.sets == std::set<std::uint64_t>{0});
  // Warp 0 reads until 11 and is at the barriers at 12 and 13. Warp 1 writes from 13 to 24 and is
  // at its second one at 25. Then warp 1's line goes to DRAM until 35, and warp 0's comes until 45.
  CHECK(count.cycles == 45);
  CHECK(found.waiting == 19); // the instruction is issued at 26
  CHECK(cycles(gpu, trace, {.alone = true}) == 26);
}

TEST_CASE("Another layout is another run") {
  const LaunchTrace column = trace_of({{{read({0, 32, 64, 96}), read({0, 32, 64, 96})}}});
  CHECK(run(small_gpu(), column).references[0].hits == 0); // 4 lines of one set
  const RunSettings padded{.changes = {{.object = 0, .row = 32, .padding = 16}}};
  CHECK(run(small_gpu(), column, padded).references[0].hits == 4);
}

TEST_CASE("Distances between neighbouring work-items are counted if asked for") {
  const LaunchTrace trace =
      trace_of({{{read({0, 4, 8, 12}), read({0, 4, 8, 400}), read({0, 8, 16, 24})}}});
  const RunCount count = run(small_gpu(), trace, {.strides = true});
  CHECK(count.references[0].strides == std::map<std::int64_t, std::uint64_t>{{4, 2}, {8, 1}});
  CHECK(run(small_gpu(), trace).references[0].strides.empty());
}
