// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/order/operations.h"

namespace gputest::cuda {
namespace {

// Work of streams that the program has destroyed.
constexpr unsigned long long kEndedThatBlock = ~0ULL, kEnded = ~0ULL - 1;

} // namespace

StreamOperations::Stream& StreamOperations::stream_of(const StreamPlace& place) {
  return streams_.try_emplace({place.device, place.id}, Stream{.place = place, .clock = {}})
      .first->second;
}

Clock StreamOperations::before_next(const StreamPlace& place) {
  Clock before = host_;
  join(before, stream_of(place).clock);
  for (const auto& [key, other] : streams_)
    if (key.first == place.device &&
        ((place.legacy && other.place.blocks) || (other.place.legacy && place.blocks)))
      join(before, other.clock);
  return before;
}

OperationPtr StreamOperations::put(const StreamPlace& place) {
  Clock before = before_next(place);
  Stream& stream = stream_of(place);
  auto operation = std::make_shared<StreamOperation>();
  chains_.append(*operation, std::move(before), stream.chain);
  stream.clock = operation->done;
  stream.chain = operation->chain;
  return operation;
}

OperationPtr StreamOperations::put_after(Clock before) {
  auto operation = std::make_shared<StreamOperation>();
  chains_.append(*operation, std::move(before), 0);
  return operation;
}

void StreamOperations::wait(const StreamPlace& place, const Clock& clock) {
  join(stream_of(place).clock, clock);
}

void StreamOperations::end(const StreamPlace& place) {
  const auto found = streams_.find({place.device, place.id});
  if (found == streams_.end())
    return;
  const Clock clock = std::move(found->second.clock);
  streams_.erase(found);
  wait({.device = place.device,
        .id = place.blocks ? kEndedThatBlock : kEnded,
        .legacy = false,
        .blocks = place.blocks},
       clock);
}

// A host that waits for the legacy default stream also waits for the streams that block.
void StreamOperations::host_waits_for(const StreamPlace& place) {
  join(host_, stream_of(place).clock);
  for (const auto& [key, other] : streams_)
    if (place.legacy && key.first == place.device && other.place.blocks)
      join(host_, other.clock);
}

void StreamOperations::host_waits_for_device(int device) {
  for (const auto& [key, stream] : streams_)
    if (key.first == device)
      join(host_, stream.clock);
}

} // namespace gputest::cuda
