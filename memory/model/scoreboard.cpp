// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/scoreboard.h"

#include <algorithm>

namespace gputest::memory {

void Scoreboard::add(std::uint32_t reference, const MemoryUnit::Done& done) {
  flights_.push_back({.reference = reference, .done = done});
  auto load = std::ranges::find(loads_, reference, &Load::reference);
  if (load == loads_.end())
    load = loads_.insert(load, {.reference = reference});
  load->before = load->last;
  load->last = done;
  ++load->executions;
}

const Scoreboard::Flight* Scoreboard::in_the_way(Cycles at, std::size_t most) {
  std::erase_if(flights_, [&](const Flight& flight) { return flight.done.at <= at; });
  if (flights_.size() < most)
    return nullptr;
  return &*std::ranges::min_element(flights_, {},
                                    [](const Flight& flight) { return flight.done.at; });
}

const MemoryUnit::Done* Scoreboard::needed(std::uint32_t reference, Need need,
                                           std::size_t unrolled) {
  const auto load = std::ranges::find(loads_, reference, &Load::reference);
  if (load == loads_.end())
    return nullptr;
  if (need == Need::Before)
    return &load->before;
  if (unrolled > 1 &&
      (need == Need::Unwound || (need == Need::Unrolled && load->executions < unrolled)))
    return nullptr;
  load->executions = 0;
  return &load->last;
}

} // namespace gputest::memory
