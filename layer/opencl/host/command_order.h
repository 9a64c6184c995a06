// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells by vector clocks which commands of OpenCL happen before which others (OpenCL 3.0, sections
// 3.2.2, 5.11 and 5.13). Commands that are ordered one after the other share a chain, whatever
// their queues are.
#pragma once

#include "model/time/vector_clock.h"

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gputest::layer {

using Clock = model::VectorClock;

struct Command : model::ClockedWork {
  // It waits for an event that the program has not set yet, perhaps through others. What is before
  // it is then not known, so it is not judged.
  bool is_open = false;
  // For messages: "kernel 'scale'"; its queue; and return addresses of the call.
  std::string what{};
  const void* queue = nullptr;
  std::vector<const void*> callers{};
};
using CommandPtr = std::shared_ptr<Command>;

enum class CommandKind {
  Plain,
  Marker, // without a list, it waits for all earlier commands of its queue
  Barrier // the same, and later commands of its queue wait for it
};

class CommandOrder {
public:
  using Queue = const void*; // a handle

  void made(Queue queue, bool in_order); // of a queue that is not made, commands are in order
  CommandPtr put(Queue queue, CommandKind kind, std::span<const CommandPtr> waits);
  // An event that the program sets itself, and its setting.
  CommandPtr made_event() const;
  void set_event(Command& event) const;

  // The host knows that these are complete. All threads of the host count as one.
  void host_waits(Command& command);
  void host_waits_for(Queue queue);
  const Clock& host() const { return host_; }

private:
  struct OfQueue {
    bool in_order = true;
    Clock all, base; // all commands; what the next one comes after
    bool all_open = false, base_open = false;
    std::size_t chain = 0;
  };

  std::map<Queue, OfQueue> queues_;
  model::WorkChains chains_;
  Clock host_;
};

// Whether nothing orders the two. `later` was put after `earlier`.
bool unordered(const Command& earlier, const Command& later);

} // namespace gputest::layer
