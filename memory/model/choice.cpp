// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/choice.h"

#include "model/interface.h"
#include "model/stable_hash.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

namespace gputest::memory {
namespace {

using Kind = WarpChoice::Kind;

} // namespace

WarpChoice::Kind choice_named(const std::string& name) {
  if (const auto kind = model::named<Kind>(name); kind && *kind < Kind::Phases)
    return *kind;
  constexpr auto names = names_of(Kind());
  const auto users = std::span(names).first(static_cast<std::size_t>(Kind::Phases));
  throw model::FormatError(
      fmt::format("error: --schedule '{}' is none of {}", name, fmt::join(users, ", ")));
}

Chooser::Chooser(const WarpChoice& choice, Guide guide)
    : phases_(choice.phases), listed_(choice.listed), guide_(std::move(guide)) {
  if (choice.kind != Kind::Phases)
    phases_ = {{.kind = choice.kind, .seed = choice.seed}};
  random_ = phases_.front().seed;
}

bool Chooser::ended() const {
  return now().kind != Kind::Listed || choices_ == listed_.size();
}

std::uint64_t Chooser::draw() {
  return model::mixed(random_ += model::kSplitMixStep);
}

std::size_t Chooser::choose(std::span<const ChoosableWarp> ready,
                            std::span<const ChoosableWarp> waiting, Cycles at) {
  const std::size_t chosen = chosen_now(ready, waiting, at);
  ++choices_;
  while (phase_ + 1 < phases_.size() && phases_[phase_ + 1].begin <= choices_)
    random_ = phases_[++phase_].seed;
  return chosen;
}

std::size_t Chooser::chosen_now(std::span<const ChoosableWarp> ready,
                                std::span<const ChoosableWarp> waiting, Cycles at) {
  const auto index = [&](auto found) { return static_cast<std::size_t>(found - ready.begin()); };
  switch (now().kind) {
  case Kind::RoundRobin:
    return 0;
  case Kind::Oldest:
    return index(std::ranges::min_element(ready, {}, &ChoosableWarp::arrival));
  case Kind::Random:
    return draw() % ready.size();
  case Kind::Priorities:
    return index(std::ranges::max_element(ready, {}, [&](const ChoosableWarp& one) {
      return model::mixed(random_ ^ model::kSplitMixStep * one.number);
    }));
  case Kind::Guided:
    return most_harmful(ready, waiting, at);
  case Kind::Listed:
    if (choices_ < listed_.size())
      if (const auto found = std::ranges::find(ready, listed_[choices_], &ChoosableWarp::number);
          found != ready.end())
        return index(found);
    break;
  case Kind::Phases: // each phase has its own kind
    break;
  }
  return kNone;
}

std::size_t Chooser::most_harmful(std::span<const ChoosableWarp> ready,
                                  std::span<const ChoosableWarp> waiting, Cycles at) {
  guide_.begin();
  for (const ChoosableWarp& warp : waiting)
    guide_.add_waiting(*warp.reader, warp.where);
  std::optional<Harm> most;
  best_.clear();
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const Harm harm = guide_.harm(*ready[i].reader, ready[i].where, at);
    if (!most || harm > *most) {
      most = harm;
      best_.clear();
    }
    if (harm == *most)
      best_.push_back(i);
  }
  return best_[best_.size() == 1 ? 0 : draw() % best_.size()];
}

} // namespace gputest::memory
