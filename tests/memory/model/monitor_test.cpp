// What warps lose to each other, the choice of warps that hurts, and what is locked in a cache,
// worked out by hand. The GPU is that of gpus.h.
#include "memory/model/monitor.h"
#include "tests/catch.h"
#include "tests/memory/gpus.h"

#include <algorithm>
#include <array>

using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

Cycles lost(std::initializer_list<Arrival> warps) {
  return lost_together(std::vector<Arrival>(warps));
}

LineRequest whole(std::uint64_t line) {
  return {.number = line, .sectors = 1, .covered = 0};
}

} // namespace

TEST_CASE("The time lost is what the slowest would have saved, until another one is the slowest") {
  CHECK(lost({{900, 0}, {800, 300}}) == 0);   // who lost did not come last
  CHECK(lost({{900, 50}, {800, 0}}) == 50);   // it would still be the last
  CHECK(lost({{900, 300}, {800, 0}}) == 100); // the other one would be
  CHECK(lost({{900, 300}, {800, 150}}) == 250);
  CHECK(lost({}) == 0);
}

TEST_CASE("A round is what a warp takes by itself") {
  const Gpu gpu = small_gpu();
  Round round(gpu);
  const std::array<LineRequest, 1> one{whole(0)};
  const std::array<LineRequest, 3> three{whole(0), whole(1), whole(2)};
  CHECK(round.hit(one) == 1);
  CHECK(round.hit(three) == 3); // a line a cycle
  CHECK(round.miss(one) == 11);
  CHECK(round.miss(three) == 31); // they wait for each other
}

TEST_CASE("A warp whose request waits for that of another one loses the difference") {
  // Warp 0 has its data at 11. Warp 1 asks at 1 and has them at 21, and not at 12.
  const LaunchTrace trace = trace_of({{{read({0})}, {read({16})}}});
  const RunCount count = run(small_gpu(), trace, {.monitor = true});
  CHECK(count.cycles == 21);
  CHECK(count.lost == 9);
  REQUIRE(count.losses.size() == 1);
  CHECK(count.losses.begin()->first == std::pair<std::uint32_t, std::uint32_t>{1, 0});
  CHECK(count.losses.begin()->second.queued == 9);
  CHECK(count.losses.begin()->second.evicted == 0);
  CHECK(count.references[0].lost == 9);
  CHECK(run(small_gpu(), trace).lost == 0); // nobody asked
}

TEST_CASE("What does not make the launch longer is not lost") {
  // Warp 0 goes on until 41, whatever warp 1 waits for.
  const LaunchTrace trace = trace_of({{{read({0}), compute(30)}, {read({16})}}});
  const RunCount count = run(small_gpu(), trace, {.monitor = true});
  CHECK(count.cycles == 41);
  CHECK(count.references[0].lost == 9);
  CHECK(count.lost == 0);
}

TEST_CASE("A reference that surely hits loses all that it waits for") {
  // Warp 1 has its data at 21, where it would have had them at 2.
  const LaunchTrace trace = trace_of({{{read({0})}, {read({16})}}});
  std::vector<std::uint8_t> sure(2 * trace.references.size());
  sure[trace.references.size()] = 1;
  const RunCount count = run(small_gpu(), trace, {.monitor = true, .sure_hits = sure});
  CHECK(count.references[0].lost == 19);
  CHECK(count.lost == 10); // warp 0 needs until 11
}

TEST_CASE("Lines that another warp evicted are lost to it") {
  Gpu gpu = small_gpu();
  gpu.caches[0].size = 32;
  gpu.caches[0].ways = 1;
  const LaunchTrace trace = trace_of(
      {{{read({0}), barrier(), barrier(), read({0})}, {barrier(), write({32}), barrier()}}});
  const RunCount count = run(gpu, trace, {.monitor = true});
  // The last read is from 25 to 45 (machine_test.cpp), and would be until 36.
  REQUIRE(count.losses.size() == 1);
  CHECK(count.losses.begin()->second.evicted == 9);
  CHECK(count.lost == 9);
}

namespace {

// Warp 0 begins, and then the choice is guided.
std::uint32_t second_choice(const LaunchTrace& trace, std::uint64_t seed) {
  using Kind = WarpChoice::Kind;
  const WarpChoice choice{.kind = Kind::Phases,
                          .phases = {{.begin = 0, .kind = Kind::RoundRobin},
                                     {.begin = 1, .kind = Kind::Guided, .seed = seed}}};
  const RunCount count = run(small_gpu(), trace, {.choice = choice, .choices = true});
  REQUIRE(count.choices.at(0) == 0);
  return count.choices.at(1);
}

} // namespace

TEST_CASE("The guided choice is the warp that evicts what a waiting one uses again") {
  // Warp 0 waits for line 0 and reads it again. Warp 2 reads lines 2 and 4 of the same set, warp 1
  // one of the other set.
  const LaunchTrace trace =
      trace_of({{{read({0}), compute(1), read({0})}, {read({16})}, {read({32, 64})}}});
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    CHECK(second_choice(trace, seed) == 2);
}

TEST_CASE("Without evictions the guided choice is the warp with most requests to busy banks") {
  const LaunchTrace trace = trace_of({{{read({0})}, {read({16})}, {read({48, 80})}}});
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    CHECK(second_choice(trace, seed) == 2);
}

TEST_CASE("What is locked is in the cache from the start, and the rest has a way less") {
  const RunSettings locked{.locked = 0}; // 32 bytes: lines 0 and 1
  CHECK(run(small_gpu(), trace_of({{{read({0}), compute(1)}}}), locked).cycles == 2);
  CHECK(run(small_gpu(), trace_of({{{read({16}), compute(1)}}}), locked).cycles == 2);
  CHECK(run(small_gpu(), trace_of({{{read({32}), compute(1)}}}), locked).cycles == 12);
  // Lines 2 and 4 have one way of their set.
  const LaunchTrace turns = trace_of({{{read({32}), read({64}), read({32}), read({64})}}});
  CHECK(run(small_gpu(), turns).references[0].misses == 2);
  CHECK(run(small_gpu(), turns, locked).references[0].misses == 4);
}

TEST_CASE("Spans of a warp follow each other from its begin to its end") {
  const LaunchTrace trace =
      trace_of({{{read({0}), compute(3), barrier()}, {compute(2), barrier(), compute(1)}}});
  const RunCount count = run(small_gpu(), trace, {.spans = true});
  using Kind = WarpSpan::Kind;
  std::vector<std::pair<Kind, std::pair<Cycles, Cycles>>> first;
  for (const WarpSpan& span : count.spans)
    if (span.warp == 0)
      first.push_back({span.kind, {span.begin, span.end}});
  CHECK(first == decltype(first){{Kind::Runs, {0, 1}},
                                 {Kind::WaitsForMemory, {1, 11}},
                                 {Kind::Runs, {11, 15}}});
  CHECK(run(small_gpu(), trace).spans.empty());
}
