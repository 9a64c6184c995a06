// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracks the order of CUDA threads besides barriers. For example, a thread executes a fence and
// then a strong write; another thread reads the value strongly and then executes a fence (PTX ISA,
// "Memory Consistency Model": release and acquire patterns). Atomic operations and volatile
// accesses are strong.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gputest::simulator {

// Epochs only grow. An access before the begin of an epoch has a lower epoch.
class RaceOrder {
public:
  using Thread = std::uint64_t;
  static constexpr unsigned kItemBits = 17;
  static Thread thread_of(std::uint64_t group, std::uint64_t item) {
    return group << kItemBits | item;
  }
  static std::uint64_t group_of(Thread thread) { return thread >> kItemBits; }

  enum class Scope { Block, Device };
  // A fence. `epoch` begins with it.
  void fence(Thread thread, Scope scope, std::uint64_t epoch);

  struct Strong {
    bool reads = false, writes = false;      // both: an update
    bool acquires = false, releases = false; // without a fence
    Scope scope = Scope::Device;             // Block: only threads of its block take part
  };
  // An access of a place. If it releases, `epoch` begins before it.
  void access(Thread thread, std::uint64_t place, const Strong& what, std::uint64_t epoch);
  // A thread has waited for a place, and sees what others did before.
  void acquire(Thread thread, std::uint64_t place);

  // All threads of a group, or those of a warp, have met. `epoch` begins then.
  void barrier(std::uint64_t group, std::uint64_t epoch);
  void meet(const std::vector<Thread>& threads, std::uint64_t epoch);

  // Whether what `other` did in that epoch is ordered before what `thread` does now.
  bool knows(Thread thread, Thread other, std::uint64_t epoch) const;

  // Whether who acquires what is at the place now, in that group, knows what `thread` did in that
  // epoch.
  bool releases(std::uint64_t place, std::uint64_t group, Thread thread, std::uint64_t epoch) const;

  // What there is of a message of `other` that was written after that epoch, and that `thread` has
  // read. Where there are several, the one with the most fences.
  struct Told {
    std::optional<Scope> released; // by a fence or a release between that epoch and the write
    std::optional<Scope> acquired; // by a fence or an acquire since the read
  };
  std::optional<Told> told(Thread thread, Thread other, std::uint64_t epoch) const;

private:
  // For each thread and group: everything before this epoch is known.
  struct Clock {
    std::unordered_map<Thread, std::uint64_t> threads;
    std::unordered_map<std::uint64_t, std::uint64_t> groups;
    void join(const Clock& other);
    bool knows(Thread other, std::uint64_t epoch) const;
  };
  using SharedClock = std::shared_ptr<const Clock>;
  struct Release {
    SharedClock clock;
    std::uint64_t group = 0;
    Scope scope = Scope::Device;
  };
  using Releases = std::vector<std::shared_ptr<const Release>>;
  struct Fence {
    SharedClock clock; // the thread's clock at the fence
    std::uint64_t epoch = 0;
    std::shared_ptr<const Release> release{}; // made when it is needed
  };
  // A strong write, and the last fences of its thread by then.
  struct Message {
    Thread writer = 0;
    std::uint64_t epoch = 0, of_block = 0, of_device = 0;
  };
  struct Heard {
    Message message;
    bool of_block = false; // the read is for its block only
    std::optional<Scope> acquired{};
  };
  struct State {
    SharedClock clock; // null: its group's clock
    std::optional<Fence> of_block, of_device;
    Releases seen;              // releases seen by strong reads since the last sufficient fence
    std::vector<Heard> heard{}; // the last messages, for reports
  };
  struct Place {
    Releases releases;
    std::vector<Message> messages{}; // the last writes that a reader sees, for reports
  };
  SharedClock clock_of(Thread thread) const;
  void join(Thread thread, const Releases& releases, Scope scope, Releases& left);
  static std::shared_ptr<const Release> release_of(Thread thread, Fence& fence, Scope scope);
  Releases releases_of(Thread thread, State& state, const Strong& what, std::uint64_t epoch) const;

  std::map<Thread, State> threads_;
  std::unordered_map<std::uint64_t, SharedClock> groups_; // clocks at the last barriers
  static void hear(State& state, const Place& place, const Strong& what);
  static void acquire_heard(State& state, Scope scope);
  static void tell(Thread thread, const State& state, Place& place, const Strong& what,
                   std::uint64_t epoch);

  std::unordered_map<std::uint64_t, Place> places_;
};

} // namespace gputest::simulator
