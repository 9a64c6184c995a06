#include "memory/generate/schedules.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gputest::memory {
namespace {

constexpr std::size_t kSizes = 10; // of what is changed at a time

} // namespace

WarpChoice ScheduleSearch::next() {
  constexpr std::array kKinds{WarpChoice::Kind::Guided, WarpChoice::Kind::Priorities,
                              WarpChoice::Kind::Random, WarpChoice::Kind::Oldest,
                              WarpChoice::Kind::RoundRobin};
  if (begun_ < kKinds.size())
    return {.kind = kKinds[begun_++], .seed = random_.next()};
  return changed();
}

void ScheduleSearch::tried(const WarpChoice& choice, double lost, std::uint64_t choices) {
  if (lost < lost_)
    return;
  worst_ = choice;
  lost_ = lost;
  choices_ = choices;
}

WarpChoice ScheduleSearch::changed() {
  using Kind = WarpChoice::Kind;
  using Phase = WarpChoice::Phase;
  constexpr std::array kKinds{Kind::Random, Kind::Priorities, Kind::Guided, Kind::Oldest,
                              Kind::RoundRobin};
  const std::vector<Phase> before =
      worst_.kind == Kind::Phases ? worst_.phases
                                  : std::vector<Phase>{{.kind = worst_.kind, .seed = worst_.seed}};
  // From 1 choice to all of them, each size as likely as twice that.
  const std::uint64_t length = std::max<std::uint64_t>(1, choices_ >> random_.below(kSizes));
  const std::uint64_t begin = random_.next() % (choices_ + 1), end = begin + length;
  WarpChoice changed{.kind = Kind::Phases};
  for (const Phase& phase : before)
    if (phase.begin < begin)
      changed.phases.push_back(phase);
  changed.phases.push_back(
      {.begin = begin, .kind = kKinds[random_.below(kKinds.size())], .seed = random_.next()});
  Phase after = before.front();
  for (const Phase& phase : before)
    if (phase.begin <= end)
      after = phase;
  after.begin = end;
  changed.phases.push_back(after);
  for (const Phase& phase : before)
    if (phase.begin > end)
      changed.phases.push_back(phase);
  changed.phases.front().begin = 0;
  return changed;
}

} // namespace gputest::memory
