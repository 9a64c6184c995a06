// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proposes contents of buffers that choose addresses and ways (addresses.h): first site by site,
// and then near the worst input that is known.
#pragma once

#include "memory/generate/addresses.h"
#include "testgen/inputs/random.h"

#include <functional>
#include <set>

namespace gputest::memory {

class AddressSearch {
public:
  // Runs a launch with every value as an expression. nullopt: the kernel fails with it.
  using Follow = std::function<std::optional<testgen::Traced>(const TracedLaunch&)>;
  struct Proposal {
    TracedLaunch launch;
    Addresses::Aim aim;
    bool is_part = false; // only a part of the accesses was changed
  };

  // `trace`: of the first launch. References must outlive this object.
  AddressSearch(Follow follow, const LaunchTrace& trace, const Gpu& gpu, const Inputs& inputs,
                std::size_t items_of_group, std::uint64_t seed);

  // `first`: the run of the first launch. Without it there are no proposals.
  void begin(testgen::Traced first);

  // Site by site: of all proposals for a site, the worst stays for the sites that follow. All sets,
  // banks and places are those with most lines. `worst`: the worst launch known.
  // nullopt: all have been proposed.
  std::optional<Proposal> next(const TracedLaunch& worst);
  // Changes the worst launch at any site, with any goal and number of lines, in random order: first
  // for all work-items, later for some of them, and with other sets, banks and places. Where a
  // branch was chosen for all work-items, they still take it. `number`: another one for each worst
  // launch.
  std::optional<Proposal> near(const TracedLaunch& worst, std::size_t number);
  // Whether the latest proposal is the worst known.
  void tried(bool is_worst);

  // Says what the launch does at the site. Empty: nothing that the first launch does not do.
  std::string text_of(const TracedLaunch& launch, const Addresses::Aim& aim) const;

private:
  std::optional<Proposal> propose(const Addresses::Aim& aim, const Addresses::Part& part);
  void follow_worst(const TracedLaunch& worst);
  // Makes all work-items take the ways again that were chosen for them at sites, but for one.
  void keep_ways(Proposal& proposal, std::uint32_t but, std::vector<bool> chosen) const;
  void list_near();
  Addresses addresses_of(const testgen::Traced& traced, std::vector<bool> chosen) const;

  const Follow follow_;
  const LaunchTrace& trace_;
  const Gpu& gpu_;
  const Inputs& inputs_;
  const std::size_t items_of_group_;
  testgen::Random random_;
  std::vector<std::uint64_t> first_; // values of the first launch
  std::optional<testgen::Traced> traced_;
  std::optional<Addresses> addresses_; // of traced_

  // next(): the aims of the site, what the latest proposal chose, and the worst for the site.
  std::size_t tried_ = 0;
  bool ended_ = false; // all sites had their turn
  std::vector<Addresses::Aim> site_;
  std::set<std::uint32_t> done_; // sites
  std::optional<Addresses::Values> latest_, best_;
  std::optional<Addresses::Aim> latest_way_, best_way_;

  std::map<std::uint32_t, Addresses::Goal> ways_; // chosen for all work-items, by site
  std::optional<std::size_t> number_;             // of the launch that traced_ is of, for near()
  std::vector<Addresses::Aim> near_;              // not yet proposed in this pass
  std::size_t passes_ = 0;
};

} // namespace gputest::memory
