// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device queue of a launch: blocks that its kernels enqueue, and their events (OpenCL C 2.0,
// 6.13.17). Queues of devices are out of order: only events and parents order launches.
#pragma once

#include "model/launches/sizes.h"
#include "simulator/checks/finding.h"
#include "simulator/memory/native_symbol.h"
#include "simulator/wire.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::simulator {

// A block that a kernel has enqueued, or a marker.
struct EnqueuedBlock {
  std::string kernel{}; // its function; a marker has none
  model::Sizes sizes{};
  std::vector<std::byte> captured{};        // the block's values
  std::vector<wire::ByteRange> unwritten{}; // of these: what the kernel has not written
  std::vector<std::size_t> local_bytes{};   // of each pointer to __local memory
  std::vector<std::size_t> waits_for{};     // numbers of events
  std::optional<std::size_t> event{};       // which completes with it
  std::optional<std::size_t> parent{};      // the launch that enqueued it, if it is not the first
  model::CodePlace place{};                 // of the call
};

class DeviceQueue {
public:
  // `site_places`: those of the kernel that runs now.
  void enter(std::optional<std::size_t> launch, const std::vector<model::CodePlace>& site_places) {
    running_ = launch;
    places_ = &site_places;
  }

  // Calls of kernels; the results are OpenCL's. Events are handles.
  int enqueue(EnqueuedBlock block, std::uint32_t site, std::span<const std::uint64_t> events,
              bool wants_event);
  void forget_event() { last_event_ = 0; }
  std::uint64_t last_event() const { return last_event_; } // of what was enqueued last
  std::uint64_t user_event();
  bool is_valid(std::uint64_t event) const;
  void retain(std::uint64_t event);
  void release(std::uint64_t event);
  void set_status(std::uint64_t event, int status);
  void capture_times(std::uint64_t event, std::uint64_t* to);

  // Returns the numbers of launches that may run now: what they wait for has ended well. Ends those
  // without code, and those that wait for what has failed.
  std::vector<std::size_t> ready();
  const EnqueuedBlock& launch(std::size_t number) const { return launches_[number].what; }
  // Returns the launch that completes the event, or has set it; nullopt: none, or the first.
  std::optional<std::size_t> completes(std::size_t event) const { return events_[event].by; }
  bool is_of_user(std::size_t event) const { return events_[event].user; }
  void has_run(std::size_t number, double seconds);
  // Returns the launches that wait for what nothing completes.
  std::vector<std::size_t> waiting() const;

private:
  static constexpr int kQueued = 2; // CL_SUBMITTED; less is an error, and 0 is CL_COMPLETE
  struct Event {
    int status = kQueued;
    bool user = false;
    std::optional<std::size_t> by{}; // the launch of completes()
    unsigned references = 1;
    std::vector<std::uint64_t*> captures{};
    double seconds = 0;
  };
  struct Launch {
    EnqueuedBlock what;
    enum class State { Waits, Ran, Complete } state = State::Waits;
    std::size_t children = 0; // that are not complete
    double seconds = 0;
  };

  const Event* event_of(std::uint64_t handle) const;
  Event* event_of(std::uint64_t handle);
  void complete(Event& event, int status, double seconds);
  void end(std::size_t number, int status);

  std::vector<Launch> launches_;
  std::vector<Event> events_;
  std::vector<std::size_t> open_; // launches that have not run
  std::optional<std::size_t> running_;
  std::uint64_t last_event_ = 0;
  const std::vector<model::CodePlace>* places_ = nullptr;
};

std::vector<NativeSymbol> device_queue_symbols();

} // namespace gputest::simulator
