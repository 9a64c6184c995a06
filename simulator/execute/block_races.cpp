// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/block_races.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace gputest::simulator {
namespace {

bool conflict(const Accessed& one, const Accessed& other) {
  return (one.write || other.write) && !(one.atomic && other.atomic);
}

const char* does(const Accessed& one) {
  return one.write ? "writes" : "reads";
}

} // namespace

// What is before the earlier block is before this one, too.
void BlockRaces::add_before(Block& block, std::size_t earlier) const {
  block.before[earlier] = true;
  const std::vector<bool>& more = blocks_[earlier].before;
  for (std::size_t i = 0; i < more.size(); ++i)
    if (more[i])
      block.before[i] = true;
}

// The block has waited for the events: for blocks with all that these have enqueued, or for who has
// set an event.
void BlockRaces::finish_before(Block& block, std::vector<std::size_t> events) const {
  std::set<std::size_t> known; // ways through markers may meet
  while (!events.empty()) {
    const std::size_t event = events.back();
    events.pop_back();
    const std::optional<std::size_t> by = queue_.completes(event);
    if (!known.insert(event).second || !by)
      continue;
    if (queue_.launch(*by).kernel.empty()) { // a marker
      const std::vector<std::size_t>& more = queue_.launch(*by).waits_for;
      events.insert(events.end(), more.begin(), more.end());
      continue;
    }
    const auto number = numbers_.find(*by);
    if (number == numbers_.end())
      continue;
    add_before(block, number->second);
    if (queue_.is_of_user(event))
      continue;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (number->second < blocks_[i].ancestors.size() && blocks_[i].ancestors[number->second])
        add_before(block, i);
  }
}

void BlockRaces::add(std::size_t launch, const ir::KernelShape& shape,
                     const std::vector<Accessed>& accessed) {
  if (blocks_.size() == kMostBlocks)
    return;
  Block block{.launch = launch, .ancestors = {}, .before = std::vector<bool>(blocks_.size())};
  const EnqueuedBlock& what = queue_.launch(launch);
  if (const auto parent = what.parent ? numbers_.find(*what.parent) : numbers_.end();
      parent != numbers_.end()) {
    block.ancestors = blocks_[parent->second].ancestors;
    block.ancestors.resize(blocks_.size());
    block.ancestors[parent->second] = true;
    add_before(block, parent->second);
  }
  finish_before(block, what.waits_for);
  if (accesses_.size() + accessed.size() <= kMostAccesses) // else it orders other blocks, still
    for (const Accessed& one : accessed)
      accesses_.push_back(
          {.what = one, .block = blocks_.size(), .place = shape.sites.at(one.site)});
  numbers_[launch] = blocks_.size();
  blocks_.push_back(std::move(block));
}

const Region* BlockRaces::region_at(std::uint64_t address) const {
  const auto found = std::ranges::find_if(regions_, [&](const Region& region) {
    const auto begin = reinterpret_cast<std::uint64_t>(region.begin);
    return address >= begin && address < begin + region.size;
  });
  return found == regions_.end() ? nullptr : &*found;
}

std::vector<Finding> BlockRaces::findings() const {
  std::vector<Finding> found;
  std::vector<const Access*> sorted, open;
  sorted.reserve(accesses_.size());
  for (const Access& access : accesses_)
    sorted.push_back(&access);
  std::ranges::stable_sort(sorted, {}, [](const Access* one) { return one->what.begin; });
  std::size_t pairs = 0;
  for (const Access* one : sorted) {
    std::erase_if(open, [&](const Access* other) {
      return other->what.begin + other->what.size <= one->what.begin;
    });
    for (const Access* other : open) {
      if (++pairs > kMostPairs)
        return found;
      const auto& [earlier, later] = std::minmax(
          *one, *other, [](const Access& a, const Access& b) { return a.block < b.block; });
      if (earlier.block == later.block || !conflict(one->what, other->what) ||
          blocks_[later.block].before[earlier.block])
        continue;
      const auto known = std::ranges::find_if(found, [&](const Finding& finding) {
        return (finding.site == later.place && finding.other == earlier.place) ||
               (finding.site == earlier.place && finding.other == later.place);
      });
      if (known != found.end()) {
        ++known->count;
        continue;
      }
      const Region* const region = region_at(one->what.begin);
      found.push_back(
          {.kind = "race",
           .site = later.place,
           .message = fmt::format(
               "data race on byte {} of '{}', between blocks: one {} here, and another that was "
               "enqueued at {} {} at {}; neither an event nor a parent orders them",
               region ? one->what.begin - reinterpret_cast<std::uint64_t>(region->begin) : 0,
               region ? region->name : "?", does(later.what),
               place_text(queue_.launch(blocks_[earlier.block].launch).place), does(earlier.what),
               place_text(earlier.place)),
           .other = earlier.place,
           .object = region ? region->name : ""});
    }
    open.push_back(one);
  }
  return found;
}

} // namespace gputest::simulator
