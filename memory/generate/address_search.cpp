// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/address_search.h"

#include <algorithm>

namespace gputest::memory {
namespace {

constexpr std::size_t kRanks = 3; // sets, banks and places that are tried for a site
constexpr std::size_t kPartSizes = 5, kPlaces = 64;
constexpr std::size_t kMostTries = 8; // aims, for one that changes something

// All accesses, or a part of any size: each size is as likely as twice that size.
Addresses::Part part_of(testgen::Random& random) {
  if (random.once_in(2))
    return {};
  const double size = 1.0 / static_cast<double>(std::uint64_t{2} << random.below(kPartSizes)),
               begin = static_cast<double>(random.below(kPlaces)) / kPlaces * (1 - size);
  return {.begin = begin, .end = begin + size, .of_each_warp = random.once_in(3)};
}

} // namespace

AddressSearch::AddressSearch(Follow follow, const LaunchTrace& trace, const Gpu& gpu,
                             const Inputs& inputs, std::size_t items_of_group, std::uint64_t seed)
    : follow_(std::move(follow)), trace_(trace), gpu_(gpu), inputs_(inputs),
      items_of_group_(items_of_group), random_(seed) {}

Addresses AddressSearch::addresses_of(const testgen::Traced& traced,
                                      std::vector<bool> chosen) const {
  return {traced, trace_, gpu_, inputs_, items_of_group_, std::move(chosen)};
}

void AddressSearch::begin(testgen::Traced first) {
  first_ = first.values;
  traced_ = std::move(first);
  addresses_.emplace(addresses_of(*traced_, {}));
}

void AddressSearch::follow_worst(const TracedLaunch& worst) {
  std::optional<testgen::Traced> traced = follow_(worst);
  if (!traced)
    return;
  std::vector<bool> chosen = addresses_->chosen();
  traced_ = std::move(traced);
  addresses_.emplace(addresses_of(*traced_, std::move(chosen)));
}

// nullopt: no value changes anything, or none of them obeys what is required.
std::optional<AddressSearch::Proposal> AddressSearch::propose(const Addresses::Aim& aim,
                                                              const Addresses::Part& part) {
  latest_ = addresses_->values_for(aim, part);
  if (!latest_)
    return std::nullopt;
  const std::optional<TracedLaunch> launch =
      inputs_.launch_of(traced_->arguments_with(latest_->values));
  if (!launch)
    return std::nullopt;
  latest_->values = Inputs::values_of(*launch, traced_->units); // as REQUIRE has them
  latest_way_ = Addresses::is_branch(aim.goal) ? std::optional(aim) : std::nullopt;
  return Proposal{.launch = *launch, .aim = aim, .is_part = !part.is_all()};
}

std::optional<AddressSearch::Proposal> AddressSearch::next(const TracedLaunch& worst) {
  while (traced_ && !ended_) {
    for (; tried_ < site_.size(); ++tried_)
      if (std::optional<Proposal> proposal = propose(site_[tried_], {})) {
        ++tried_;
        return proposal;
      }
    if (best_) {
      addresses_->keep(*best_);
      if (best_way_)
        ways_[best_way_->site] = best_way_->goal;
      best_.reset();
      follow_worst(worst); // other ways and addresses may follow from those that are chosen
    }
    tried_ = 0;
    site_.clear();
    for (const std::vector<Addresses::Aim>& site : addresses_->aims())
      if (done_.insert(site.front().site).second) {
        site_ = site;
        break;
      }
    ended_ = site_.empty();
  }
  return std::nullopt;
}

void AddressSearch::tried(bool is_worst) {
  if (!is_worst)
    return;
  best_ = latest_;
  best_way_ = latest_way_;
}

std::optional<AddressSearch::Proposal> AddressSearch::near(const TracedLaunch& worst,
                                                           std::size_t number) {
  if (!traced_)
    return std::nullopt;
  if (number_ != number)
    follow_worst(worst);
  number_ = number;
  for (std::size_t tries = 0; tries < kMostTries; ++tries) {
    addresses_->keep(
        {.values = traced_->values, .chosen = std::vector<bool>(traced_->units.size())});
    if (near_.empty())
      list_near();
    if (near_.empty())
      return std::nullopt;
    const Addresses::Aim aim = near_.back();
    near_.pop_back();
    std::optional<Proposal> proposal =
        propose(aim, passes_ > 1 ? part_of(random_) : Addresses::Part{});
    if (!proposal)
      continue;
    keep_ways(*proposal, aim.site, latest_->chosen);
    return proposal;
  }
  return std::nullopt;
}

// In random order.
void AddressSearch::list_near() {
  const std::size_t rank = passes_++ % 2 == 0 ? 0 : random_.below(kRanks);
  for (const std::vector<Addresses::Aim>& site : addresses_->aims(rank))
    for (Addresses::Aim aim : site) {
      near_.push_back(aim);
      for (aim.lines = 1; Addresses::has_lines(aim.goal) && aim.lines < gpu_.warp_size;
           aim.lines *= 2)
        near_.push_back(aim);
    }
  for (std::size_t i = near_.size(); i > 1; --i)
    std::swap(near_[i - 1], near_[random_.below(i)]);
}

void AddressSearch::keep_ways(Proposal& proposal, std::uint32_t but,
                              std::vector<bool> chosen) const {
  for (const auto& [site, goal] : ways_) {
    if (site == but)
      continue;
    const std::optional<testgen::Traced> traced = follow_(proposal.launch);
    if (!traced)
      return;
    Addresses addresses = addresses_of(*traced, chosen);
    const std::optional<Addresses::Values> values =
        addresses.values_for({.site = site, .goal = goal}, {});
    const std::optional<TracedLaunch> launch =
        values ? inputs_.launch_of(traced->arguments_with(values->values)) : std::nullopt;
    if (!launch)
      continue;
    proposal.launch = *launch;
    chosen = values->chosen;
  }
}

std::string AddressSearch::text_of(const TracedLaunch& launch, const Addresses::Aim& aim) const {
  const std::optional<testgen::Traced> traced = follow_(launch);
  return traced ? addresses_of(*traced, {}).text_of(aim, first_) : std::string{};
}

} // namespace gputest::memory
