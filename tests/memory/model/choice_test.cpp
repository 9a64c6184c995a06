// Schedules that are made of others, and the search for those that hurt.
#include "memory/model/choice.h"
#include "tests/catch.h"
#include "tests/memory/gpus.h"

#include <algorithm>
#include <array>
#include <set>

using namespace gputest::memory;
using namespace gputest::memory::tests;

namespace {

// Four warps that compute, more than memory takes, read, and compute again.
LaunchTrace reading_warps() {
  std::vector<std::vector<Step>> warps;
  for (std::uint64_t warp = 0; warp < 4; ++warp) {
    std::vector<Step> steps;
    for (std::uint64_t round = 0; round < 6; ++round) {
      steps.push_back(read({16 * (4 * warp + round % 3)}));
      steps.push_back(compute(20 + 7 * warp));
    }
    warps.push_back(steps);
  }
  return trace_of({warps});
}

std::vector<std::uint32_t> choices(const WarpChoice& choice) {
  const RunCount count = run(small_gpu(), reading_warps(), {.choice = choice, .choices = true});
  CHECK(count.choices_made == count.choices.size());
  return count.choices;
}

} // namespace

TEST_CASE("Priorities: of two warps the same one goes on each time") {
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto made = choices({.kind = WarpChoice::Kind::Priorities, .seed = seed});
    REQUIRE(made.size() > 3);
    seen.insert(made);
    CHECK(made == choices({.kind = WarpChoice::Kind::Priorities, .seed = seed}));
  }
  CHECK(seen.size() > 3);

  // One of three begins, then one of the other two, then the third. After a barrier the warp that
  // came last goes on, then again one of the other two.
  const LaunchTrace rounds = trace_of({std::vector<std::vector<Step>>(
      3, {compute(2), barrier(), compute(2), barrier(), compute(2), barrier(), compute(2)})});
  std::set<std::vector<std::uint32_t>> possible;
  std::array<std::uint32_t, 3> order{0, 1, 2}; // the first is preferred
  do {
    std::vector<std::uint32_t> made{order[0], order[1]};
    for (std::uint32_t round = 0, first = order[2]; round < 2; ++round) {
      std::vector<std::uint32_t> others(order.begin(), order.end());
      std::erase(others, first);
      made.push_back(others[0]);
      first = others[1];
    }
    possible.insert(made);
  } while (std::ranges::next_permutation(order).found);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const WarpChoice choice{.kind = WarpChoice::Kind::Priorities, .seed = seed};
    std::vector<std::uint32_t> made =
        run(small_gpu(), rounds, {.choice = choice, .choices = true}).choices;
    REQUIRE(made.size() >= 4);
    made.resize(4); // then warps end
    CHECK(possible.contains(made));
  }
}

TEST_CASE("Phases choose one after the other, each as it does by itself") {
  const auto turns = choices({.kind = WarpChoice::Kind::RoundRobin}),
             oldest = choices({.kind = WarpChoice::Kind::Oldest});
  REQUIRE(turns != oldest);
  const WarpChoice whole{.kind = WarpChoice::Kind::Phases,
                         .phases = {{.begin = 0, .kind = WarpChoice::Kind::Oldest}}};
  CHECK(choices(whole) == oldest);
  const WarpChoice late{.kind = WarpChoice::Kind::Phases,
                        .phases = {{.begin = 0, .kind = WarpChoice::Kind::RoundRobin},
                                   {.begin = 1000, .kind = WarpChoice::Kind::Oldest}}};
  CHECK(choices(late) == turns);
  const std::size_t both = 4;
  const auto mixed =
      choices({.kind = WarpChoice::Kind::Phases,
               .phases = {{.begin = 0, .kind = WarpChoice::Kind::RoundRobin},
                          {.begin = both, .kind = WarpChoice::Kind::Random, .seed = 5}}});
  REQUIRE(mixed.size() > both);
  CHECK(std::equal(turns.begin(), turns.begin() + both, mixed.begin()));
  CHECK(mixed != turns);
  // What was chosen makes the same run again.
  const Cycles cycles = run(small_gpu(), reading_warps(), {.choice = late}).cycles;
  CHECK(run(small_gpu(), reading_warps(),
            {.choice = {.kind = WarpChoice::Kind::Listed, .listed = turns}})
            .cycles == cycles);
}
