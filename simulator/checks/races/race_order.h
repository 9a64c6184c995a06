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

  // Whether `thread` has read what `other` released after that epoch, but has no sufficient fence
  // since then. Where there are two such releases, the scope is that of the wider one.
  std::optional<Scope> unacquired(Thread thread, Thread other, std::uint64_t epoch) const;

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
  struct State {
    SharedClock clock; // null: its group's clock
    std::optional<Fence> of_block, of_device;
    Releases seen; // releases seen by strong reads since the last sufficient fence
  };
  SharedClock clock_of(Thread thread) const;
  void join(Thread thread, const Releases& releases, Scope scope, Releases& left);
  static std::shared_ptr<const Release> release_of(Thread thread, Fence& fence, Scope scope);
  Releases releases_of(Thread thread, State& state, const Strong& what, std::uint64_t epoch) const;

  std::map<Thread, State> threads_;
  std::unordered_map<std::uint64_t, SharedClock> groups_; // clocks at the last barriers
  std::unordered_map<std::uint64_t, Releases> places_;
};

} // namespace gputest::simulator
