// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/merge.h"

#include <bit>

namespace gputest::memory {
namespace {

// The progress of one work-item.
struct Lane {
  const std::uint64_t *at = nullptr, *end = nullptr; // at: the word of the next block
  std::uint64_t* iterations = nullptr;               // by loop
  std::uint64_t block = 0;

  bool ended() const { return at == end; }
};

class Merger {
public:
  Merger(const ItemShape& shape, const LaunchTrace& trace, std::span<const ItemWords> items,
         const WarpShape& warps, WarpWriter& warp)
      : shape_(shape), references_(trace.references), objects_(trace.objects),
        unrolled_(warps.unrolled), division_(warps.division), warp_(warp), lanes_(items.size()),
        iterations_(items.size() * shape.loop_places.size()) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      lanes_[i].at = items[i].data();
      lanes_[i].end = items[i].data() + items[i].size();
      lanes_[i].iterations = iterations_.data() + i * shape.loop_places.size();
      if (!lanes_[i].ended()) {
        lanes_[i].block = *lanes_[i].at++;
        alive_ |= std::uint64_t{1} << i;
      }
    }
  }

  void run() {
    while (alive_ != 0) {
      // If all remaining work-items were together and go to the same block, they stay together.
      const std::uint64_t all = alive_;
      const std::uint64_t together = converged_ && same_block() ? all : at_lowest_key();
      run_block(together);
      converged_ = together == all;
    }
    warp_.end();
  }

private:
  static unsigned first_of(std::uint64_t lanes) {
    return static_cast<unsigned>(std::countr_zero(lanes));
  }

  bool same_block() const {
    const std::uint64_t block = lanes_[first_of(alive_)].block;
    for (std::uint64_t left = alive_; left != 0; left &= left - 1)
      if (lanes_[first_of(left)].block != block)
        return false;
    return true;
  }

  // Negative: `one` comes before `other`.
  int compare(const Lane& one, const Lane& other) const {
    const Block &first = shape_.blocks[one.block], &second = shape_.blocks[other.block];
    const auto order = [](std::uint64_t a, std::uint64_t b) { return a < b ? -1 : a > b ? 1 : 0; };
    for (std::size_t depth = 0;; ++depth) {
      const bool last = depth == first.loops.size(), other_last = depth == second.loops.size();
      const std::uint64_t place = last ? first.place : shape_.loop_places[first.loops[depth]];
      const std::uint64_t other_place =
          other_last ? second.place : shape_.loop_places[second.loops[depth]];
      if (place != other_place || last || other_last)
        return order(place, other_place);
      const std::uint32_t loop = first.loops[depth];
      if (one.iterations[loop] != other.iterations[loop])
        return order(one.iterations[loop], other.iterations[loop]);
    }
  }

  std::uint64_t at_lowest_key() const {
    std::uint64_t lowest = 0;
    const Lane* known = nullptr;
    for (std::uint64_t left = alive_; left != 0; left &= left - 1) {
      const Lane& lane = lanes_[first_of(left)];
      const int order = known ? compare(lane, *known) : -1;
      if (order < 0) {
        lowest = 0;
        known = &lane;
      }
      if (order <= 0)
        lowest |= left & -left;
    }
    return lowest;
  }

  // How many of the instructions are made in this iteration of the innermost loop around them.
  std::uint64_t made(const LessOften& less, std::uint64_t iteration) const {
    const bool first = unrolled_ == 1 || iteration == 0;
    const Divisions& all = less.divisions;
    const std::uint64_t quotients = all.always + (first ? all.in_front : 0);
    const std::uint64_t divisors = all.divisors + (first ? all.divisors_in_front : 0);
    return (iteration % unrolled_ == 0 ? less.unrolled : 0) + (first ? less.in_front : 0) +
           (unrolled_ == 1 ? less.fused : 0) +
           quotients * (division_.instructions - division_.divisor) + divisors * division_.divisor;
  }

  void run_block(std::uint64_t together) {
    const std::uint64_t number = lanes_[first_of(together)].block;
    const Block& block = shape_.blocks[number];
    const std::uint64_t iteration =
        block.loops.empty() ? 0 : lanes_[first_of(together)].iterations[block.loops.back()];
    for (const BlockStep& step : block.steps) {
      warp_.compute(step.compute + made(step.less, iteration));
      if (step.kind == BlockStep::Kind::Barrier)
        warp_.barrier();
      else if (step.kind == BlockStep::Kind::Wait)
        warp_.wait(step.reference, step.need);
      else if (step.own && references_[step.reference].in_registers)
        in_registers(step, iteration, together);
      else
        access(step, together);
    }
    warp_.compute(block.compute + made(block.less, iteration));
    for (const BlockStep& step : block.waits)
      warp_.wait(step.reference, step.need);
    for (std::uint64_t left = together; left != 0; left &= left - 1) {
      const unsigned lane = first_of(left);
      if (lanes_[lane].ended())
        alive_ &= ~(std::uint64_t{1} << lane);
      else
        go_on(lanes_[lane], block);
    }
  }

  void in_registers(const BlockStep& step, std::uint64_t iteration, std::uint64_t together) {
    for (std::uint64_t left = together; left != 0; left &= left - 1)
      ++lanes_[first_of(left)].at;
    if (!step.as_register)
      return;
    LessOften one;
    switch (*step.as_register) {
    case Made::Always:
      warp_.compute(1);
      return;
    case Made::Unrolled:
      one.unrolled = 1;
      break;
    case Made::InFront:
      one.in_front = 1;
      break;
    case Made::Fused:
      one.fused = 1;
      break;
    }
    warp_.compute(made(one, iteration));
  }

  void access(const BlockStep& step, std::uint64_t together) {
    places_.clear();
    for (std::uint64_t left = together; left != 0; left &= left - 1) {
      const unsigned number = first_of(left);
      Lane& lane = lanes_[number];
      Place place{.lane = number};
      if (step.texels) {
        add_texels(lane, place);
        continue;
      }
      if (step.plain) {
        place.object = static_cast<std::uint32_t>(references_[step.reference].object);
        place.size = references_[step.reference].size;
        place.offset = *lane.at++;
      } else {
        const std::uint64_t object = *lane.at++;
        place.offset = *lane.at++;
        place.size = static_cast<std::uint32_t>(*lane.at++);
        if (object == kNoObject)
          continue;
        place.object = static_cast<std::uint32_t>(object);
      }
      places_.push_back(warp_.settled(place));
    }
    if (places_.empty() && step.texels)
      warp_.access_border(step.reference);
    else if (places_.empty()) // registers
      warp_.compute(1);
    else
      warp_.access(step.reference, places_);
  }

  void add_texels(Lane& lane, Place place) {
    place.object = shape_.first_image + static_cast<std::uint32_t>(*lane.at++);
    for (std::uint64_t left = *lane.at++; left != 0; --left) {
      place.offset = *lane.at++;
      place.size = static_cast<std::uint32_t>(objects_[place.object].image.value().texel);
      places_.push_back(place);
    }
  }

  void go_on(Lane& lane, const Block& from) const {
    lane.block = *lane.at++;
    const Block& to = shape_.blocks[lane.block];
    if (to.header_of < 0)
      return;
    const auto loop = static_cast<std::uint32_t>(to.header_of);
    lane.iterations[loop] = from.is_in(loop) ? lane.iterations[loop] + 1 : 0;
  }

  const ItemShape& shape_;
  std::span<const Reference> references_;
  std::span<const MemoryObject> objects_;
  std::size_t unrolled_;
  Division division_;
  WarpWriter& warp_;
  std::vector<Lane> lanes_;
  std::vector<std::uint64_t> iterations_;
  std::vector<Place> places_;
  std::uint64_t alive_ = 0;
  bool converged_ = false;
};

} // namespace

void merge_warp(const ItemShape& shape, const LaunchTrace& trace, std::span<const ItemWords> items,
                const WarpShape& warps, WarpWriter& warp) {
  Merger(shape, trace, items, warps, warp).run();
}

} // namespace gputest::memory
