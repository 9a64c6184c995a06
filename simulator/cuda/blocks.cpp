#include "simulator/cuda/blocks.h"

#include "model/clock.h"
#include "simulator/cuda/device.h"
#include "simulator/execute/natives.h"
#include "simulator/execute/ndrange.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace gputest::simulator::cuda {
namespace {

bool waits_as(const gputest_context& context, std::size_t thread, std::uint32_t kind) {
  return (context.statuses[thread] & GPUTEST_WAITS_FOR_WARP) != 0 &&
         context.slots->kind[thread] == kind;
}

} // namespace

Blocks::Blocks(const KernelShape& shape, gputest_context& context, Monitor& monitor,
               const std::vector<std::uint32_t>& order, BlockPlaces& places,
               std::function<void()> run)
    : shape_(shape), context_(context), monitor_(monitor), order_(order), places_(places),
      run_(std::move(run)), groups_(groups_of(context)) {
  context_.in_turns = 1;
}

// What checks keep in the context of the launch stays.
void Blocks::enter(const Block& block) {
  set_group(context_, block.number);
  block.place->frames.describe(context_);
  context_.objects = block.place->objects.data();
}

// False: it has ended.
bool Blocks::run_on(Block& block, std::uint64_t how) {
  context_.block_stop = how;
  run_();
  block.at_grid = context_.block_stop == GPUTEST_BLOCK_GRID;
  if (context_.block_stop != GPUTEST_BLOCK_BEGINS)
    return true;
  monitor_.end_group();
  places_.give_back(*block.place);
  if (!first_left_)
    first_left_ = block.number;
  return false;
}

bool Blocks::begin_one() {
  BlockPlace* const place = places_.take();
  if (!place) // there is no place for one more
    return false;
  const std::size_t number = order_.empty() ? next_ : order_[next_];
  ++next_;
  Block& block = there_.emplace_back(Block{.number = number, .place = place});
  enter(block);
  monitor_.begin_group();
  if (!run_on(block, GPUTEST_BLOCK_BEGINS))
    there_.pop_back();
  return true;
}

// As many as are there already: so all of them look at memory no more than twice for each that
// begins.
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
    if (block->at_grid) {
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

// Of all that threads keep while they wait.
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

// Runs all once more to see what they read.
Waiting Blocks::look_around(bool& moved) {
  Waiting waiting;
  waiting.settled = true;
  Natives& natives = running_natives();
  natives.polled.clear();
  context_.watching = 1;
  moved = look_again();
  context_.watching = 0;
  waiting.addresses = natives.polled;
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

// Threads that wait in cuda::barrier and its like, for others that have left, go on: that is a
// finding.
bool Blocks::release_stuck(const Waiting& waiting) {
  if (!std::ranges::all_of(waiting.addresses, [](std::uint64_t address) {
        return !running_natives().device->allocation(address);
      }))
    return false;
  bool moved = false;
  for (auto block = there_.begin(); block != there_.end();) {
    enter(*block);
    bool awaits = false;
    for (std::size_t i = items_of_group(context_); i > 0 && !awaits; --i)
      awaits = waits_as(context_, i - 1, GPUTEST_WARP_AWAIT);
    bool stays = true;
    if (awaits && !block->at_grid) {
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
    Natives& natives = running_natives();
    natives.clock_read = false;
    const bool begun = next_ < groups_ && begin_some();
    const bool moved = look_again(), passed = pass_grid();
    if (begun || moved || passed) {
      before.reset();
      quiet = std::chrono::steady_clock::now();
      continue;
    }
    const std::uint64_t now = hash();
    if (before == now && !natives.clock_read) {
      bool goes_on = false;
      Waiting waiting = look_around(goes_on);
      if (!goes_on && !release_stuck(waiting))
        return waiting;
      before.reset();
      continue;
    }
    before = now;
    if (seconds_since(quiet) > patience) {
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
