// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/host/command_order.h"

#include <algorithm>

namespace gputest::layer {

using model::join;

void CommandOrder::made(Queue queue, bool in_order) {
  queues_[queue] = {};
  queues_[queue].in_order = in_order;
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
  chains_.append(*command, std::move(before), of.chain);
  of.chain = command->chain;
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
