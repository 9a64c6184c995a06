// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells by vector clocks which commands of OpenCL happen before which others (OpenCL 3.0, sections
// 3.2.2, 5.11 and 5.13). Commands that are ordered one after the other share a chain, whatever
// their queues are. A clock says for each chain how many of its commands are complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gputest::layer {

using Clock = std::vector<std::uint64_t>;
void join(Clock& into, const Clock& other);

struct Command {
  std::size_t chain = 0;
  std::uint64_t number = 0; // in its chain, from 1 on
  Clock done{};             // when it is complete: what is before it, and itself
  // It waits for an event that the program has not set yet, perhaps through others. What is before
  // it is then not known, so it is not judged.
  bool is_open = false;
  // For messages: "kernel 'scale'"; its queue; and return addresses of the call.
  std::string what{};
  const void* queue = nullptr;
  std::vector<const void*> callers{};

  bool is_before(const Clock& clock) const {
    return chain < clock.size() && clock[chain] >= number;
  }
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
  std::size_t chain_after(const Clock& before, std::size_t wanted);

  std::map<Queue, OfQueue> queues_;
  std::vector<std::uint64_t> last_; // of each chain
  Clock host_;
};

// Whether nothing orders the two. `later` was put after `earlier`.
bool unordered(const Command& earlier, const Command& later);

} // namespace gputest::layer
