// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/blocks.h"

#include "model/clock.h"
#include "simulator/cuda/device.h"
#include "simulator/memory/ndrange.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>

namespace gputest::simulator::cuda {
namespace {

bool waits_as(const gputest_context& context, std::size_t thread, std::uint32_t kind) {
  return (context.statuses[thread] & GPUTEST_WAITS_FOR_WARP) != 0 &&
         context.slots->kind[thread] == kind;
}

} // namespace

Blocks::Blocks(const ir::KernelShape& shape, gputest_context& context, Monitor& monitor,
               const std::vector<std::uint32_t>& order, BlockPlaces& places,
               std::function<void()> run)
    : shape_(shape), context_(context), monitor_(monitor), order_(order), places_(places),
      run_(std::move(run)), groups_(groups_of(context)) {
  context_.in_turns = 1;
  has_clusters_ = context.cluster[0] * context.cluster[1] * context.cluster[2] > 1;
}

// Keeps the words of checks in the launch's context.
void Blocks::enter(const Block& block) {
  set_group(context_, block.number);
  block.place->frames.describe(context_);
  context_.objects = block.place->objects.data();
}

// Returns false if it has ended.
bool Blocks::run_on(Block& block, std::uint64_t how) {
  context_.block_stop = how;
  run_();
  block.at_grid = context_.block_stop == GPUTEST_BLOCK_GRID;
  block.at_cluster = context_.block_stop == GPUTEST_BLOCK_CLUSTER;
  if (context_.block_stop != GPUTEST_BLOCK_BEGINS)
    return true;
  monitor_.end_group();
  places_.give_back(*block.place);
  if (!first_left_)
    first_left_ = block.number;
  return false;
}

std::size_t Blocks::cluster_of(std::size_t number) const {
  std::size_t cluster = 0, factor = 1;
  for (unsigned i = 0; i < 3; ++i) {
    const std::size_t blocks = context_.num_groups[i], of_cluster = context_.cluster[i];
    cluster += number % blocks / of_cluster * factor;
    number /= blocks;
    factor *= blocks / of_cluster;
  }
  return cluster;
}

// The blocks that must be resident at once.
std::vector<std::size_t> Blocks::with_cluster(std::size_t number) const {
  if (!has_clusters_)
    return {number};
  const std::uint64_t* const groups = context_.num_groups;
  std::array<std::size_t, 3> begin{number % groups[0], number / groups[0] % groups[1],
                                   number / groups[0] / groups[1]};
  for (unsigned i = 0; i < 3; ++i)
    begin[i] -= begin[i] % context_.cluster[i];
  std::vector<std::size_t> all;
  for (std::size_t z = begin[2]; z < begin[2] + context_.cluster[2]; ++z)
    for (std::size_t y = begin[1]; y < begin[1] + context_.cluster[1]; ++y)
      for (std::size_t x = begin[0]; x < begin[0] + context_.cluster[0]; ++x)
        all.push_back(x + groups[0] * (y + groups[1] * z));
  return all;
}

bool Blocks::begin_one() {
  const std::size_t number = order_.empty() ? next_ : order_[next_];
  if (ahead_.erase(number) > 0) {
    ++next_;
    return true;
  }
  std::vector<std::list<Block>::iterator> begun;
  for (const std::size_t one : with_cluster(number)) {
    BlockPlace* const place = places_.take();
    if (!place) { // no place is left
      for (const auto block : begun) {
        places_.give_back(*block->place);
        there_.erase(block);
      }
      return false;
    }
    begun.push_back(there_.insert(there_.end(), Block{.number = one, .place = place}));
  }
  ++next_;
  for (const auto block : begun) {
    if (block->number != number)
      ahead_.insert(block->number);
    enter(*block);
    monitor_.begin_group();
    if (!run_on(*block, GPUTEST_BLOCK_BEGINS))
      there_.erase(block);
  }
  return true;
}

void* Blocks::shared_of(const void* pointer, std::size_t block) const {
  const auto there = std::ranges::find(there_, block, &Block::number);
  for (std::size_t i = 0; there != there_.end() && i < there->place->objects.size(); ++i) {
    const std::size_t offset = static_cast<std::size_t>(static_cast<const gputest_u8*>(pointer) -
                                                        context_.objects[i].begin);
    if (shape_.objects[i].kind == ir::Object::Kind::LocalVariable &&
        offset < context_.objects[i].size)
      return there->place->objects[i].begin + offset;
  }
  return nullptr;
}

bool Blocks::is_of_cluster(const void* pointer, std::size_t size) const {
  const std::uint64_t *const id = context_.group_id, *const groups = context_.num_groups;
  const std::size_t cluster = cluster_of(id[0] + groups[0] * (id[1] + groups[1] * id[2]));
  for (const Block& block : there_)
    for (std::size_t i = 0; cluster_of(block.number) == cluster && i < block.place->objects.size();
         ++i) {
      const auto& object = block.place->objects[i];
      const auto offset =
          static_cast<std::size_t>(static_cast<const gputest_u8*>(pointer) - object.begin);
      if (shape_.objects[i].kind == ir::Object::Kind::LocalVariable && offset <= object.size &&
          object.size - offset >= size)
        return true;
    }
  return false;
}

// Begins as many blocks as are resident, so that resident blocks poll at most twice for each block
// that begins.
bool Blocks::begin_some() {
  if (!order_.empty() && context_.cooperative == 0 && !there_.empty())
    return false;
  const std::size_t wanted = std::max<std::size_t>(there_.size(), 1);
  std::size_t begun = 0;
  while (next_ < groups_ && (begun < wanted || there_.empty() || context_.cooperative != 0)) {
    if (!begin_one())
      break;
    ++begun;
  }
  return begun > 0;
}

bool Blocks::look_again() {
  bool moved = false;
  for (auto block = there_.begin(); block != there_.end();) {
    if (block->stays()) {
      ++block;
      continue;
    }
    enter(*block);
    monitor_.continue_group();
    const bool stays = run_on(*block, GPUTEST_BLOCK_WAITS);
    moved = moved || context_.moved != 0;
    block = stays ? std::next(block) : there_.erase(block);
  }
  return moved;
}

bool Blocks::pass_grid() {
  if (next_ < groups_ || there_.empty() ||
      !std::ranges::all_of(there_, [](const Block& block) { return block.at_grid; }))
    return false;
  if (there_.size() < groups_) {
    enter(there_.front());
    monitor_.grid_left(groups_ - there_.size(), *first_left_);
  }
  monitor_.pass_grid();
  for (auto block = there_.begin(); block != there_.end();) {
    enter(*block);
    monitor_.continue_group();
    block = run_on(*block, GPUTEST_BLOCK_GRID) ? std::next(block) : there_.erase(block);
  }
  return true;
}

// Lets the blocks of a cluster go on together, without those that have ended.
bool Blocks::pass_clusters() {
  if (std::ranges::none_of(there_, [](const Block& block) { return block.at_cluster; }))
    return false;
  std::map<std::size_t, std::vector<std::list<Block>::iterator>> clusters;
  for (auto block = there_.begin(); block != there_.end(); ++block)
    clusters[has_clusters_ ? cluster_of(block->number) : block->number].push_back(block);
  bool passed = false;
  for (auto& [number, blocks] : clusters) {
    if (!std::ranges::all_of(blocks, [](const auto& block) { return block->at_cluster; }))
      continue;
    passed = true;
    monitor_.pass_grid();
    for (const auto block : blocks) {
      enter(*block);
      monitor_.continue_group();
      if (!run_on(*block, GPUTEST_BLOCK_GRID))
        there_.erase(block);
    }
  }
  return passed;
}

// Returns a hash of everything that threads keep while they wait.
std::uint64_t Blocks::hash() {
  std::uint64_t hash = 14695981039346656037u;
  for (const Block& block : there_) {
    enter(block);
    const std::size_t items = items_of_group(context_);
    for (std::size_t i = 0; i < items; ++i) {
      hash = (hash ^ context_.statuses[i]) * 1099511628211u;
      if (context_.statuses[i] == 0)
        continue;
      for (std::size_t at = 0; at < shape_.frame_size; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, context_.frames + i * shape_.frame_size + at, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
      }
    }
  }
  return hash;
}

// Runs all blocks once more to see what they read.
Waiting Blocks::look_around(bool& moved) {
  Waiting waiting;
  waiting.settled = true;
  KernelState& state = running_state();
  state.polled.clear();
  context_.watching = 1;
  moved = look_again();
  context_.watching = 0;
  waiting.addresses = state.polled;
  for (const Block& block : there_) {
    enter(block);
    const std::size_t items = items_of_group(context_);
    for (std::size_t i = 0; i < items; ++i) {
      const bool awaits = waits_as(context_, i, GPUTEST_WARP_AWAIT);
      if (awaits)
        waiting.addresses.insert(context_.slots->value[i]);
      if ((!awaits && !waits_as(context_, i, GPUTEST_WARP_SPIN)) || !waiting.who.empty())
        continue;
      context_.item = i;
      waiting.site = context_.slots->site[i];
      waiting.who = text_of(running_item(context_), 3);
    }
  }
  return waiting;
}

// Releases threads that wait in cuda::barrier and its like for threads that have left, and reports
// a finding.
bool Blocks::release_stuck(const Waiting& waiting) {
  if (!std::ranges::all_of(waiting.addresses, [](std::uint64_t address) {
        return !running_state().host->is_allocated(address);
      }))
    return false;
  bool moved = false;
  for (auto block = there_.begin(); block != there_.end();) {
    enter(*block);
    bool awaits = false;
    for (std::size_t i = items_of_group(context_); i > 0 && !awaits; --i)
      awaits = waits_as(context_, i - 1, GPUTEST_WARP_AWAIT);
    bool stays = true;
    if (awaits && !block->stays()) {
      monitor_.continue_group();
      stays = run_on(*block, GPUTEST_BLOCK_STUCK);
      moved = true;
    }
    block = stays ? std::next(block) : there_.erase(block);
  }
  return moved;
}

std::optional<Waiting> Blocks::go_on(double patience) {
  std::optional<std::uint64_t> before; // the hash of the round before
  auto quiet = std::chrono::steady_clock::now();
  while (next_ < groups_ || !there_.empty()) {
    KernelState& state = running_state();
    state.clock_read = false;
    const bool begun = next_ < groups_ && begin_some();
    const bool moved = look_again(), passed = pass_grid() || pass_clusters();
    if (begun || moved || passed) {
      before.reset();
      quiet = std::chrono::steady_clock::now();
      continue;
    }
    const std::uint64_t now = hash();
    if (before == now && !state.clock_read) {
      bool goes_on = false;
      Waiting waiting = look_around(goes_on);
      if (!goes_on && !release_stuck(waiting))
        return waiting;
      before.reset();
      continue;
    }
    before = now;
    if (model::seconds_since(quiet) > patience) {
      bool goes_on = false;
      Waiting waiting = look_around(goes_on);
      waiting.settled = false;
      if (!goes_on)
        return waiting;
    }
  }
  return std::nullopt;
}

} // namespace gputest::simulator::cuda
