// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/monitor.h"

#include "simulator/memory/ndrange.h"

#include <fmt/format.h>
#include <stdexcept>

namespace gputest::simulator {

Monitor::Monitor(const ir::KernelShape& shape, const Checks& checks, unsigned dimensions,
                 gputest_context& context, const Arena& arena, const Region& nowhere)
    : findings_(shape), extents_(context.object_count), launch_{.shape = shape,
                                                                .dimensions = dimensions,
                                                                .context = context,
                                                                .arena = arena,
                                                                .nowhere = nowhere,
                                                                .findings = findings_,
                                                                .extents = extents_},
      barriers_(launch_, checks.has("exits")), checks_barriers_(checks.has("barriers")),
      checks_bounds_(checks.has("bounds")) {
  for (const Check* check : checks)
    if (check->watch) {
      watching_.push_back(check);
      watches_.push_back(check->watch(launch_));
    }
  if (shape.copies)
    copies_.emplace(launch_, watches_);
}

void Monitor::begin_group() {
  for (const auto& watch : watches_)
    watch->begin_group();
  if (copies_)
    copies_->begin_group();
}

void Monitor::end_group() {
  if (copies_)
    copies_->end_group();
}

void Monitor::continue_group() {
  for (const auto& watch : watches_)
    watch->continue_group();
}

void Monitor::pass_grid() {
  for (const auto& watch : watches_)
    watch->pass_grid();
}

void Monitor::end_launch() {
  if (checks_bounds_)
    for (const auto& watch : watches_)
      watch->end_launch();
}

int Monitor::turn() {
  const auto [site, flags] = barriers_.turn();
  for (const auto& watch : watches_)
    watch->pass_barrier(site, flags);
  if (copies_)
    copies_->meet();
  return 1;
}

void Monitor::awaited(std::uint64_t first, std::uint64_t lanes) {
  const gputest_slots& slots = *launch_.context.slots;
  for (const auto& watch : watches_)
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
      const std::uint64_t item = first + static_cast<unsigned>(std::countr_zero(rest));
      watch->awaited(item, slots.value[item], slots.parameter[item]);
    }
}

void Monitor::pass_fence(ir::FenceKind kind) {
  for (const auto& watch : watches_)
    watch->pass_fence(kind);
}

void Monitor::warp_met(std::uint64_t first, std::uint64_t lanes, bool steps) {
  for (const auto& watch : watches_)
    watch->pass_warp(first, lanes, steps);
}

void Monitor::keep_accessed(const std::vector<Region>& regions) {
  for (const auto& watch : watches_)
    watch->keep_accessed(regions);
}

void Monitor::begin_unwritten(const std::vector<Region>& regions) {
  for (const auto& watch : watches_)
    watch->begin_unwritten(regions);
}

std::vector<Accessed> Monitor::accessed() {
  std::vector<Accessed> all;
  for (const auto& watch : watches_)
    for (const Accessed& one : watch->accessed())
      all.push_back(one);
  return all;
}

void Monitor::report(unsigned site, unsigned message, std::optional<std::uint64_t> element) {
  const auto& [kind, text, cause] = launch_.shape.messages.at(message);
  Finding* const finding = findings_.add(kind.c_str(), site, 0);
  if (!finding)
    return;
  finding->message =
      fmt::format("{} {}", text_of(running_item(launch_.context), launch_.dimensions), text);
  if (element)
    finding->message += fmt::format("; it is element {}", *element);
  finding->cause = cause;
}

Watch& Monitor::watch(const Check& check) const {
  for (std::size_t i = 0; i < watching_.size(); ++i)
    if (watching_[i] == &check || watching_[i]->variant_of == &check)
      return *watches_[i];
  throw std::logic_error(fmt::format("the kernel was not compiled with the check {}", check.name));
}

} // namespace gputest::simulator
