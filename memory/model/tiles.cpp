// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/tiles.h"

#include <algorithm>

namespace gputest::memory {

bool Tiles::use(std::uint32_t group, std::uint64_t sector) {
  Group& own = groups_[group];
  if (const auto known = own.known.find(sector); known != own.known.end()) {
    own.sectors.splice(own.sectors.begin(), own.sectors, known->second);
    return true;
  }
  if (own.sectors.size() == most_) {
    own.known.erase(own.sectors.back());
    own.sectors.pop_back();
  }
  own.sectors.push_front(sector);
  own.known[sector] = own.sectors.begin();
  return false;
}

TilePlaces::TilePlaces(const LaunchTrace& trace, const Layout& layout, std::uint32_t object,
                       std::uint64_t sector, std::optional<std::uint64_t> padded_row,
                       std::uint64_t word)
    : trace_(trace), layout_(layout), object_(object), sector_(sector), padded_row_(padded_row),
      word_(word) {}

std::vector<std::uint64_t> TilePlaces::sectors_of(std::uint32_t group) const {
  std::vector<std::uint64_t> sectors;
  WarpEvent event;
  for (std::uint32_t warp = trace_.groups[group]; warp < trace_.groups[group + 1]; ++warp)
    for (WarpReader reader(trace_, trace_.warps[warp]); reader.next(event);) {
      if (event.kind != WarpEvent::Kind::Access || event.places.front().object != object_ ||
          trace_.references[event.reference].kind != Reference::Kind::Read)
        continue;
      for (const Place& one : event.places) {
        const std::uint64_t first = layout_.address(one, 0),
                            last = first + std::max(one.size, 1U) - 1;
        for (std::uint64_t number = first / sector_; number <= last / sector_; ++number)
          sectors.push_back(number);
      }
    }
  std::ranges::sort(sectors);
  const auto rest = std::ranges::unique(sectors);
  sectors.erase(rest.begin(), rest.end());
  return sectors;
}

std::uint64_t TilePlaces::place(std::uint32_t group, std::uint64_t address) {
  const auto [known, added] = groups_.try_emplace(group);
  std::vector<std::uint64_t>& sectors = known->second;
  if (added)
    sectors = sectors_of(group);
  const auto sector = std::ranges::lower_bound(sectors, address / sector_);
  const std::uint64_t place =
      static_cast<std::uint64_t>(sector - sectors.begin()) * sector_ + address % sector_;
  return padded_row_ ? place + place / *padded_row_ * word_ : place;
}

} // namespace gputest::memory
