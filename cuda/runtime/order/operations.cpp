// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/order/operations.h"

#include <algorithm>

namespace gputest::cuda {
namespace {

std::uint64_t at(const Clock& clock, std::size_t chain) {
  return chain < clock.size() ? clock[chain] : 0;
}

// Work of streams that the program has destroyed.
constexpr unsigned long long kEndedThatBlock = ~0ULL, kEnded = ~0ULL - 1;

} // namespace

void join(Clock& into, const Clock& other) {
  into.resize(std::max(into.size(), other.size()));
  for (std::size_t i = 0; i < other.size(); ++i)
    into[i] = std::max(into[i], other[i]);
}

StreamOperations::Stream& StreamOperations::stream_of(const StreamPlace& place) {
  return streams_.try_emplace({place.device, place.id}, Stream{.place = place, .clock = {}})
      .first->second;
}

// Takes the chain if its last operation is before this one, or another such chain, or a new one.
OperationPtr StreamOperations::begin(Clock before, std::size_t chain) {
  const auto is_free = [&](std::size_t one) { return last_[one] <= at(before, one); };
  if (chain >= last_.size() || !is_free(chain))
    for (chain = 0; chain < last_.size() && !is_free(chain);)
      ++chain;
  if (chain == last_.size())
    last_.push_back(0);
  auto operation = std::make_shared<StreamOperation>();
  operation->chain = chain;
  operation->number = ++last_[chain];
  before.resize(std::max(before.size(), chain + 1));
  before[chain] = operation->number;
  operation->done = std::move(before);
  return operation;
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
  OperationPtr operation = begin(std::move(before), stream.chain);
  stream.clock = operation->done;
  stream.chain = operation->chain;
  return operation;
}

OperationPtr StreamOperations::put_after(Clock before) {
  return begin(std::move(before), 0);
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

bool StreamOperations::host_knows_all() const {
  for (std::size_t chain = 0; chain < last_.size(); ++chain)
    if (at(host_, chain) < last_[chain])
      return false;
  return true;
}

} // namespace gputest::cuda
