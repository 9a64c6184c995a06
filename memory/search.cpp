// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/search.h"

#include <algorithm>
#include <array>

namespace gputest::memory {
namespace {

constexpr std::array kFirstKinds{WarpChoice::Kind::RoundRobin, WarpChoice::Kind::Guided,
                                 WarpChoice::Kind::Oldest};

} // namespace

WarpChoice TriedSchedules::at(std::size_t index) const {
  if (index < kFirstKinds.size())
    return {.kind = kFirstKinds[index], .seed = seed};
  return {.kind = WarpChoice::Kind::Random, .seed = seed + index - kFirstKinds.size()};
}

std::size_t TriedSchedules::index_of(const WarpChoice& choice) const {
  const auto known = std::ranges::find(kFirstKinds, choice.kind);
  return static_cast<std::size_t>(known - kFirstKinds.begin()) +
         (known == kFirstKinds.end() ? static_cast<std::size_t>(choice.seed - seed) : 0);
}

WarpChoice worst_schedule(const Gpu& gpu, const LaunchTrace& trace, const TriedSchedules& tried,
                          std::span<const std::uint8_t> sure_hits) {
  WarpChoice worst;
  double largest = -1;
  for (std::size_t i = tried.first; i < tried.count; i += tried.step) {
    const WarpChoice choice = tried.at(i);
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
