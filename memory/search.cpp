#include "memory/search.h"

namespace gputest::memory {
namespace {

WarpChoice number(std::size_t index, std::uint64_t seed) {
  using Kind = WarpChoice::Kind;
  if (index < 3)
    return {.kind = index == 0   ? Kind::RoundRobin
                    : index == 1 ? Kind::Guided
                                 : Kind::Oldest,
            .seed = seed};
  return {.kind = Kind::Random, .seed = seed + index - 3};
}

} // namespace

WarpChoice worst_schedule(const Gpu& gpu, const LaunchTrace& trace, std::size_t schedules,
                          std::uint64_t seed, std::span<const std::uint8_t> sure_hits) {
  WarpChoice worst;
  double largest = -1;
  for (std::size_t i = 0; i < schedules; ++i) {
    const WarpChoice choice = number(i, seed);
    const RunCount found =
        run(gpu, trace, {.choice = choice, .monitor = true, .sure_hits = sure_hits});
    const double lost = share(found.lost, found.cycles);
    if (lost > largest) {
      largest = lost;
      worst = choice;
    }
  }
  return worst;
}

} // namespace gputest::memory
