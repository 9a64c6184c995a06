// What orders threads of CUDA besides barriers: a fence and then a strong write of a place, which
// another thread reads strongly ahead of a fence of its own (PTX ISA, "Memory Consistency Model":
// release and acquire patterns). Strong are atomic operations and volatile accesses.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gputest::simulator {

// Epochs grow. What a thread has done before an epoch began has a lower one.
class RaceOrder {
public:
  using Thread = std::uint64_t;
  static constexpr unsigned kItemBits = 17;
  static Thread thread_of(std::uint64_t group, std::uint64_t item) {
    return group << kItemBits | item;
  }

  enum class Scope { Block, Device };
  // A fence, with which `epoch` begins.
  void fence(Thread thread, Scope scope, std::uint64_t epoch);

  struct Strong {
    bool reads = false, writes = false;      // both: it updates
    bool acquires = false, releases = false; // by itself, without a fence
  };
  // An access of a place, before which `epoch` begins if it releases.
  void access(Thread thread, std::uint64_t place, const Strong& what, std::uint64_t epoch);
  // A thread has waited for a place, and what others had done before has come.
  void acquire(Thread thread, std::uint64_t place);

  // All threads of the group have met, with which `epoch` begins; or those of a warp.
  void barrier(std::uint64_t group, std::uint64_t epoch);
  void meet(const std::vector<Thread>& threads, std::uint64_t epoch);

  // Does what `other` did in that epoch come before whatever `thread` does now?
  bool knows(Thread thread, Thread other, std::uint64_t epoch) const;

private:
  // Before which epoch all that they have done is known.
  struct Clock {
    std::unordered_map<Thread, std::uint64_t> threads;
    std::unordered_map<std::uint64_t, std::uint64_t> groups;
    void join(const Clock& other);
  };
  using SharedClock = std::shared_ptr<const Clock>;
  struct Release {
    SharedClock clock;
    std::uint64_t group = 0;
    Scope scope = Scope::Device;
  };
  using Releases = std::vector<std::shared_ptr<const Release>>;
  struct Fence {
    SharedClock clock; // what the thread knew
    std::uint64_t epoch = 0;
    std::shared_ptr<const Release> release{}; // once it is needed
  };
  struct State {
    SharedClock clock; // null: that of its group
    std::optional<Fence> of_block, of_device;
    Releases seen; // by strong reads, since fences that were enough
  };
  SharedClock clock_of(Thread thread) const;
  void join(Thread thread, const Releases& releases, Scope scope, Releases& left);
  static std::shared_ptr<const Release> release_of(Thread thread, Fence& fence, Scope scope);
  Releases releases_of(Thread thread, State& state, bool by_itself, std::uint64_t epoch) const;

  std::map<Thread, State> threads_;
  std::unordered_map<std::uint64_t, SharedClock> groups_; // since their last barriers
  std::unordered_map<std::uint64_t, Releases> places_;
};

} // namespace gputest::simulator
