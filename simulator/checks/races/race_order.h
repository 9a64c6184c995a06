// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracks the order of CUDA threads besides barriers. For example, a thread executes a fence and
// then a strong write; another thread reads the value strongly and then executes a fence (PTX ISA,
// "Memory Consistency Model": release and acquire patterns). Atomic operations and volatile
// accesses are strong.
//
// Sequentially consistent fences order more, because PTX has an order of these fences. Each thread
// of a block executes __threadfence(), all meet at a barrier, and one of them counts the block. The
// fence of a thread that sees this count, at once or behind a barrier, comes later in that order:
// if it came first, the count would come before what it was read from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
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
  // A fence. `epoch` begins with it. `sequential`: it is sequentially consistent.
  void fence(Thread thread, Scope scope, std::uint64_t epoch, bool sequential = false);

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

  // A thread arrives at a phase of a barrier whose threads are not known beforehand, such as
  // cuda::barrier or bar.sync 1, 64. `epoch` begins then. A thread that has waited for the phase
  // sees what all that have arrived did before.
  void arrive(Thread thread, std::uint64_t place, std::uint64_t phase, std::uint64_t epoch);
  void wait(Thread thread, std::uint64_t place, std::uint64_t phase);
  void forget(std::uint64_t place, std::uint64_t phase);

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
  struct Release;
  using Releases = std::vector<std::shared_ptr<const Release>>;
  // For each thread and group: everything before this epoch is known.
  struct Clock {
    std::unordered_map<Thread, std::uint64_t> threads;
    std::unordered_map<std::uint64_t, std::uint64_t> groups;
    // By barriers: what sequential fences have released and threads have seen, which another such
    // fence makes known; and what such fences of the threads release with the next strong write.
    Releases seen{};
    std::shared_ptr<const Release> fenced{};
    void join(const Clock& other); // without what is by barriers
    bool knows(Thread other, std::uint64_t epoch) const;
  };
  using SharedClock = std::shared_ptr<const Clock>;
  struct Release {
    SharedClock clock;
    std::uint64_t group = 0;
    Scope scope = Scope::Device;
    bool sequential = false; // by a sequential fence
    bool by_barrier = false; // has passed one: only a sequential fence makes it known
  };
  struct Fence {
    SharedClock clock; // the thread's clock at the fence
    std::uint64_t epoch = 0;
    bool sequential = false;
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
  // Joins what threads bring to a barrier.
  class Meeting {
  public:
    void add(const SharedClock& clock);
    void add(Thread thread, const State& state); // its reads and fences
    std::shared_ptr<Clock> clock();              // to which the caller adds epochs

  private:
    void see(const std::shared_ptr<const Release>& release);
    std::shared_ptr<Clock> all_ = std::make_shared<Clock>(), fenced_{};
    const Clock *last_ = nullptr, *last_fenced_ = nullptr; // joined
  };
  struct Phase {
    Meeting meeting{};
    std::vector<std::pair<Thread, std::uint64_t>> arrivals{}; // epochs
    std::vector<SharedClock> clocks{};                        // of arrivals
    SharedClock all{};                                        // since a thread has waited
  };
  SharedClock clock_of(Thread thread) const;
  void join(Thread thread, const Releases& releases, Scope scope, bool sequential, Releases& left);
  void see_by_barriers(Thread thread);
  static std::shared_ptr<const Release> merged(const Releases& releases);
  static std::shared_ptr<const Release> release_of(Thread thread, Fence& fence, Scope scope);
  Releases releases_of(Thread thread, State& state, const Strong& what, std::uint64_t epoch) const;

  std::map<Thread, State> threads_;
  std::unordered_map<std::uint64_t, SharedClock> groups_; // clocks at the last barriers
  static void hear(State& state, const Place& place, const Strong& what);
  static void acquire_heard(State& state, Scope scope);
  static void tell(Thread thread, const State& state, Place& place, const Strong& what,
                   std::uint64_t epoch);

  std::unordered_map<std::uint64_t, Place> places_;
  std::unordered_map<std::uint64_t, std::map<std::uint64_t, Phase>> phases_; // by place
  std::pair<SharedClock, SharedClock> last_seen_; // a clock before and after a sequential fence
};

} // namespace gputest::simulator
