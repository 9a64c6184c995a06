// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/host/command_order.h"

#include <algorithm>

namespace gputest::layer {

void join(Clock& into, const Clock& other) {
  if (into.size() < other.size())
    into.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i)
    into[i] = std::max(into[i], other[i]);
}

void CommandOrder::made(Queue queue, bool in_order) {
  queues_[queue] = {};
  queues_[queue].in_order = in_order;
}

// A chain grows only by what comes after its last command.
std::size_t CommandOrder::chain_after(const Clock& before, std::size_t wanted) {
  const auto fits = [&](std::size_t chain) {
    return chain < last_.size() && chain < before.size() && before[chain] == last_[chain];
  };
  if (fits(wanted))
    return wanted;
  for (std::size_t chain = 0; chain < before.size(); ++chain)
    if (fits(chain))
      return chain;
  last_.push_back(0);
  return last_.size() - 1;
}

CommandPtr CommandOrder::put(Queue queue, CommandKind kind, std::span<const CommandPtr> waits) {
  OfQueue& of = queues_[queue];
  const bool waits_for_all = of.in_order || (kind != CommandKind::Plain && waits.empty());
  auto command = std::make_shared<Command>();
  command->queue = queue;
  Clock before = host_;
  join(before, waits_for_all ? of.all : of.base);
  command->is_open = waits_for_all ? of.all_open : of.base_open;
  for (const CommandPtr& one : waits) {
    join(before, one->done);
    command->is_open = command->is_open || one->is_open;
  }
  command->chain = of.chain = chain_after(before, of.chain);
  command->number = ++last_[command->chain];
  if (before.size() <= command->chain)
    before.resize(command->chain + 1);
  before[command->chain] = command->number;
  command->done = std::move(before);
  join(of.all, command->done);
  of.all_open = of.all_open || command->is_open;
  if (kind == CommandKind::Barrier) {
    join(of.base, command->done);
    of.base_open = of.base_open || command->is_open;
  }
  return command;
}

CommandPtr CommandOrder::made_event() const {
  auto event = std::make_shared<Command>();
  event->is_open = true;
  return event;
}

void CommandOrder::set_event(Command& event) const {
  event.is_open = false;
  event.done = host_;
}

void CommandOrder::host_waits(Command& command) {
  join(host_, command.done);
  command.is_open = false;
  OfQueue& of = queues_[command.queue];
  if (std::ranges::equal(of.all, command.done)) // the last one
    of.all_open = of.base_open = false;
}

void CommandOrder::host_waits_for(Queue queue) {
  OfQueue& of = queues_[queue];
  join(host_, of.all);
  of.all_open = of.base_open = false;
}

bool unordered(const Command& earlier, const Command& later) {
  return !earlier.is_open && !later.is_open && !earlier.is_before(later.done);
}

} // namespace gputest::layer
