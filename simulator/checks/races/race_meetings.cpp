// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a warp that have met: what each did before is ordered before what the others do next.
#include "simulator/checks/races/races.h"

#include "simulator/memory/ndrange.h"

#include <algorithm>

namespace gputest::simulator {

void Races::pass_warp(std::uint64_t first, std::uint64_t lanes, bool /*steps*/) {
  next_epoch();
  if (shape_.steps && !shape_.lock_step)
    step_together(first, lanes);
  else
    meet(first, lanes);
  if (!shape_.syncs)
    return;
  std::vector<RaceOrder::Thread> met;
  for (unsigned i = 0; i < shape_.warp_size; ++i)
    if (lanes >> i & 1)
      met.push_back(thread_of(first + i));
  order_.meet(met, epoch_);
  locks_.meet(met, epoch_);
}

void Races::meet(std::uint64_t first, std::uint64_t lanes) {
  now_.meetings.resize(items_of_group(context_));
  for (unsigned i = 0; i < shape_.warp_size && first + i < now_.meetings.size(); ++i)
    if (lanes >> i & 1) {
      auto& [widest, last] = now_.meetings[first + i];
      last = {lanes, context_.now};
      if ((lanes & widest.lanes) == widest.lanes)
        widest = last;
    }
}

void Races::step_together(std::uint64_t first, std::uint64_t lanes) {
  now_.steps.resize(items_of_group(context_));
  const auto each = [&](auto&& visit) {
    for (unsigned i = 0; i < shape_.warp_size && first + i < now_.steps.size(); ++i)
      if (lanes >> i & 1)
        visit(i, now_.steps[first + i]);
  };
  std::array<std::uint64_t, GPUTEST_MOST_LANES> all{};
  each([&](unsigned, const auto& known) {
    for (unsigned i = 0; i < shape_.warp_size; ++i)
      all[i] = std::max(all[i], known[i]);
  });
  each([&](unsigned lane, const auto&) { all[lane] = context_.now; });
  each([&](unsigned, auto& known) { known = all; });
}

// Whether this work-item has met the one that left the mark since then, in its warp.
bool Races::met_since(std::uint64_t mark, const Access& mine) const {
  const std::uint64_t other = marks_.item_of(mark), me = marks_.item_of(mine.mark);
  const unsigned lanes = shape_.warp_size;
  if (me < now_.steps.size() && !mine.of_copy && other / lanes == me / lanes && is_of_group(mark))
    return mark < now_.steps[me][other % lanes];
  if (now_.meetings.empty() || mine.of_copy || other / lanes != me / lanes ||
      me >= now_.meetings.size() || !is_of_group(mark))
    return false;
  return std::ranges::any_of(now_.meetings[me], [&](const Meeting& meeting) {
    return (meeting.lanes >> other % lanes & 1) != 0 && mark < meeting.start;
  });
}

} // namespace gputest::simulator
