// The search for schedules that hurt: what it tries, and that it finds more than draws alone.
#include "memory/generate/schedules.h"
#include "tests/catch.h"
#include "tests/memory/gpus.h"

#include <algorithm>

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

// Eight warps in two groups that come back to their lines, of which the cache holds half.
LaunchTrace returning_warps() {
  std::vector<std::vector<std::vector<Step>>> groups(2);
  for (std::uint64_t warp = 0; warp < 8; ++warp) {
    std::vector<Step> steps;
    for (std::uint64_t round = 0; round < 12; ++round) {
      steps.push_back(read({16 * warp + 128 * (round / 4)}));
      steps.push_back(compute(1 + 5 * ((warp + round) % 5)));
      if (round == 6)
        steps.push_back(barrier());
    }
    groups[warp / 4].push_back(steps);
  }
  return trace_of(groups);
}

RunCount count_of(const LaunchTrace& trace, const WarpChoice& choice) {
  Gpu gpu = small_gpu();
  gpu.warps_per_core = 8;
  return run(gpu, trace, {.choice = choice, .choices = true, .monitor = true});
}

} // namespace

TEST_CASE("The search begins with each kind of schedule, draws, and changes the worst") {
  const LaunchTrace trace = returning_warps();
  ScheduleSearch search(3);
  std::vector<WarpChoice> tried;
  double most = -1;
  for (std::size_t i = 0; i < 60; ++i) {
    const WarpChoice worst = search.worst();
    const WarpChoice choice = search.next();
    const RunCount count = count_of(trace, choice);
    if (choice.kind == WarpChoice::Kind::Phases) {
      CHECK(i >= 12);
      // As the worst one up to where its last phase or the one before it begins.
      const std::vector<std::uint32_t> before = count_of(trace, worst).choices;
      std::size_t same = 0;
      while (same < std::min(before.size(), count.choices.size()) &&
             before[same] == count.choices[same])
        ++same;
      REQUIRE(!choice.phases.empty());
      CHECK(choice.phases.front().begin == 0);
      CHECK(std::ranges::is_sorted(choice.phases, {}, &WarpChoice::Phase::begin));
      CHECK((same > 0 || choice.phases.size() <= 3));
    }
    const double lost = share(count.lost, count.cycles);
    search.tried(choice, lost, count.choices_made);
    most = std::max(most, lost);
    CHECK(search.lost() == most);
    tried.push_back(choice);
  }
  CHECK(tried[0].kind == WarpChoice::Kind::RoundRobin);
  CHECK(tried[1].kind == WarpChoice::Kind::Oldest);
  CHECK(tried[2].kind == WarpChoice::Kind::Priorities);
  CHECK(tried[3].kind == WarpChoice::Kind::Guided);
  CHECK(std::ranges::count(tried, WarpChoice::Kind::Phases, &WarpChoice::kind) == 24);
}

TEST_CASE("The search finds more than as many random schedules") {
  const LaunchTrace trace = returning_warps();
  double searched = 0, drawn = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ScheduleSearch search(seed);
    testgen::Random random(seed);
    double most = 0;
    for (std::size_t i = 0; i < 400; ++i) {
      const WarpChoice choice = search.next();
      const RunCount count = count_of(trace, choice);
      search.tried(choice, share(count.lost, count.cycles), count.choices_made);
      const RunCount other =
          count_of(trace, {.kind = WarpChoice::Kind::Random, .seed = random.next()});
      most = std::max(most, share(other.lost, other.cycles));
    }
    searched += search.lost();
    drawn += most;
  }
  CHECK(searched > drawn);
}
