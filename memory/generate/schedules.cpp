// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/schedules.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gputest::memory {
namespace {

constexpr std::size_t kFirst = 12; // tries before the worst one is changed
constexpr std::size_t kSizes = 10; // different sizes of a change

} // namespace

WarpChoice ScheduleSearch::next() {
  using Kind = WarpChoice::Kind;
  constexpr std::array kKinds{Kind::RoundRobin, Kind::Oldest, Kind::Priorities, Kind::Guided};
  const std::size_t number = tries_++;
  if (number < kKinds.size())
    return {.kind = kKinds[number], .seed = random_.next()};
  return number < kFirst || number % 2 == 0 || lost_ < 0 ? drawn() : changed();
}

void ScheduleSearch::tried(const WarpChoice& choice, double lost, std::uint64_t choices) {
  if (lost < lost_)
    return;
  worst_ = choice;
  lost_ = lost;
  choices_ = choices;
}

WarpChoice ScheduleSearch::drawn() {
  return {.kind = random_.once_in(3) ? WarpChoice::Kind::Priorities : WarpChoice::Kind::Random,
          .seed = random_.next()};
}

WarpChoice ScheduleSearch::changed() {
  using Kind = WarpChoice::Kind;
  using Phase = WarpChoice::Phase;
  constexpr std::array kKinds{Kind::Random,     Kind::Random,     Kind::Random, Kind::Priorities,
                              Kind::Priorities, Kind::RoundRobin, Kind::Oldest, Kind::Guided};
  const std::vector<Phase> before =
      worst_.kind == Kind::Phases ? worst_.phases
                                  : std::vector<Phase>{{.kind = worst_.kind, .seed = worst_.seed}};
  const std::uint64_t begin = random_.next() % (choices_ + 1);
  WarpChoice changed{.kind = Kind::Phases};
  for (const Phase& phase : before)
    if (phase.begin < begin)
      changed.phases.push_back(phase);
  changed.phases.push_back(
      {.begin = begin, .kind = kKinds[random_.below(kKinds.size())], .seed = random_.next()});
  if (random_.once_in(2)) { // and then as before
    // Between 1 choice and all of them. Each size is as likely as twice that size.
    const std::uint64_t end = begin + std::max<std::uint64_t>(1, choices_ >> random_.below(kSizes));
    Phase after = before.front();
    for (const Phase& phase : before)
      if (phase.begin <= end)
        after = phase;
    after.begin = end;
    changed.phases.push_back(after);
    for (const Phase& phase : before)
      if (phase.begin > end)
        changed.phases.push_back(phase);
  }
  changed.phases.front().begin = 0;
  return changed;
}

} // namespace gputest::memory
