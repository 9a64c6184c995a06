#include "memory/search.h"

#include <algorithm>

namespace gputest::memory {
namespace {

WarpChoice number(std::size_t index, std::uint64_t seed) {
  using Kind = WarpChoice::Kind;
  if (index < 2)
    return {.kind = index == 0 ? Kind::RoundRobin : Kind::Oldest};
  return {.kind = Kind::Random, .seed = seed + index - 2};
}

} // namespace

WarpChoice worst_schedule(const Gpu& gpu, const LaunchTrace& trace, std::size_t schedules,
                          std::uint64_t seed) {
  WarpChoice worst;
  double largest = -1;
  for (std::size_t i = 0; i < schedules; ++i) {
    const WarpChoice choice = number(i, seed);
    const RunCount found = run(gpu, trace, {.choice = choice});
    const Cycles alone = found.interferences.empty()
                             ? found.cycles
                             : run(gpu, trace, {.choice = choice, .alone = true}).cycles;
    const double lost = (static_cast<double>(found.cycles) - static_cast<double>(alone)) /
                        static_cast<double>(std::max<Cycles>(found.cycles, 1));
    if (lost > largest) {
      largest = lost;
      worst = choice;
    }
  }
  return worst;
}

} // namespace gputest::memory
