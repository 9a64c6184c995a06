// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/coalesce.h"

#include <algorithm>
#include <array>
#include <bit>

namespace gputest::memory {
namespace {

// Adds the sectors of bytes [begin, end), which follow the earlier bytes or begin among them.
class Requests {
public:
  Requests(const CacheLevel& level, std::vector<LineRequest>& requests)
      : level_(level), requests_(requests) {
    requests_.clear();
  }

  void add(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t sector = begin / level_.sector; sector * level_.sector < end; ++sector) {
      const std::uint64_t first = sector * level_.sector, past = first + level_.sector;
      const std::uint64_t number = first / level_.line;
      const std::uint32_t bit = std::uint32_t{1} << (sector % level_.sectors());
      if (requests_.empty() || requests_.back().number != number)
        requests_.push_back({.number = number});
      requests_.back().sectors |= bit;
      if (begin <= first && past <= end)
        requests_.back().covered |= bit;
    }
  }

private:
  const CacheLevel& level_;
  std::vector<LineRequest>& requests_;
};

} // namespace

Transactions coalesce(std::span<LaneAccess> lanes, const CacheLevel& level,
                      std::vector<LineRequest>& requests) {
  if (!std::ranges::is_sorted(lanes, {}, &LaneAccess::address))
    std::ranges::sort(lanes, {},
                      [](const LaneAccess& lane) { return std::pair(lane.address, lane.lane); });
  Requests ranges(level, requests);
  std::uint64_t bytes = 0, begin = 0, end = 0; // of the contiguous range that lanes touch
  for (const LaneAccess& lane : lanes) {
    if (lane.address > end || end == begin) {
      ranges.add(begin, end);
      bytes += end - begin;
      begin = lane.address;
      end = begin;
    }
    end = std::max(end, lane.address + lane.size);
  }
  ranges.add(begin, end);
  bytes += end - begin;
  Transactions transactions{
      .made = 0, .fewest = static_cast<unsigned>((bytes + level.sector - 1) / level.sector)};
  for (const LineRequest& request : requests)
    transactions.made += static_cast<unsigned>(std::popcount(request.sectors));
  return transactions;
}

Transactions bank_passes(std::span<const LaneAccess> lanes, const LocalMemory& memory,
                         std::size_t warp_size, bool atomic) {
  Transactions passes;
  std::size_t first = 0;
  while (first < lanes.size()) {
    // The work-items of one part of the warp.
    const std::size_t size = std::max<std::size_t>(lanes[first].size, 1);
    const std::size_t together =
        std::clamp<std::size_t>(memory.banks * memory.bank_bytes / size, 1, warp_size);
    const std::size_t part = lanes[first].lane / together;
    std::array<std::uint64_t, kMostLanes * 16> words;
    std::size_t count = 0, last = first;
    for (; last < lanes.size() && lanes[last].lane / together == part; ++last)
      for (std::uint64_t word = lanes[last].address / memory.bank_bytes;
           word * memory.bank_bytes < lanes[last].address + lanes[last].size &&
           count < words.size();
           ++word)
        words[count++] = word;
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(words.begin(), end);
    const auto past = atomic ? end : std::unique(words.begin(), end);
    std::array<unsigned, kMostBanks> of_bank{};
    unsigned most = 0;
    for (auto word = words.begin(); word != past; ++word)
      most = std::max(most, ++of_bank[*word % memory.banks]);
    passes.made += most;
    // Fewest: all different words, spread evenly over the banks.
    const auto last_word = atomic ? std::unique(words.begin(), end) : past;
    const auto different = static_cast<std::size_t>(last_word - words.begin());
    passes.fewest += static_cast<unsigned>((different + memory.banks - 1) / memory.banks);
    first = last;
  }
  return passes;
}

} // namespace gputest::memory
