// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Critical sections: which accesses a lock orders, and whether its fences order them whoever takes
// the lock first. A run shows one order only.
#pragma once

#include "simulator/checks/races/race_order.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace gputest::simulator {

// Critical sections of locks. A thread takes a lock when an update of its word changes a value, or
// when it reads the number in the word that it has drawn from a counter before. It gives the lock
// back with the next change of the word: to the first value, or of a drawn number. Threads may take
// a lock in any order, but a run shows only one of them.
class RaceLocks {
public:
  using Thread = RaceOrder::Thread;
  using Scope = RaceOrder::Scope;

  explicit RaceLocks(unsigned warp_size) : warp_size_(warp_size) {}

  // Threads of the holder's group are inside, too, between barriers or meetings with the holder.
  struct Part {
    std::uint64_t lanes = 0; // of the holder's warp; 0: all of the group
    std::uint64_t begin = 0, end = 0;
    std::optional<std::uint64_t> of_block{}, of_device{}; // as those of the section
  };
  struct Section {
    Thread holder = 0;
    std::uint64_t place = 0, free = 0; // free: the first value, or the counter of the numbers
    bool drawn = false;
    Scope scope = Scope::Device; // of the access that took the lock
    std::uint64_t begin = 0, end = 0;
    // The epochs from which on the holder sees what earlier holders of its group, and those of
    // other groups, have released. None: it has no fence.
    std::optional<std::uint64_t> of_block{}, of_device{};
    std::vector<Part> parts{};
    // Who gave it back, and the epochs of its last fences by then, or of the release itself.
    Thread last = 0;
    std::uint64_t released_in_block = 0, released_on_device = 0;
    std::size_t number = 0; // of the section
  };

  struct Change {
    bool reads = false;
    std::uint64_t before = 0, after = 0; // values of the place
  };
  // A strong access, which has been made. Returns the section that it ends.
  std::optional<Section> access(Thread thread, std::uint64_t place, const RaceOrder::Strong& what,
                                const Change& change, std::uint64_t epoch);
  void fence(Thread thread, Scope scope, std::uint64_t epoch);
  void barrier(std::uint64_t group, std::uint64_t epoch);
  void meet(const std::vector<Thread>& threads, std::uint64_t epoch);
  void wait(Thread thread, std::uint64_t place, std::uint64_t epoch); // the thread has waited

  // Whether the thread was in the section in that epoch.
  bool has(const Section& section, Thread thread, std::uint64_t epoch) const;

  // Two sections of one lock: the thread is in one, and the other thread was in another one. What
  // fences and orders of the lock's accesses reach: after taking the lock, and before giving it
  // back.
  struct Common {
    std::size_t mine = 0; // the number of the thread's section
    std::optional<Scope> saw{}, other_saw{}, other_released{};
    bool operator==(const Common&) const = default;
  };
  std::vector<Common> common(Thread thread, std::uint64_t now, Thread other,
                             std::uint64_t epoch) const;
  // Whether the thread was in a section in that epoch; and in one without fences between groups.
  bool inside(Thread thread, std::uint64_t epoch) const;
  bool lacks_fence(Thread thread, std::uint64_t epoch) const;

  // Whether messages of other places than locks lead from what `first` did in that epoch to the
  // other thread: it cannot come first then. Also true if too much has happened to know.
  bool leads(Thread first, std::uint64_t epoch, Thread second) const;

private:
  // Something passed from thread to thread, or within a group (to all: of its lanes).
  struct Step {
    enum class Kind { Message, Barrier, Meeting } kind;
    Thread from, to;
    std::uint64_t sent, received, place; // sent, received: epochs
  };
  struct Write {
    Thread thread;
    std::uint64_t epoch;
  };
  void log(const Step& step);
  void open(Section section);
  void drop(std::uint64_t place); // if it is open
  void keep(const Section& section);
  void share(std::uint64_t place, std::uint64_t lanes, std::uint64_t epoch);
  bool is_lock(std::uint64_t place) const;
  const Part* part_of(const Section& section, Thread thread, std::uint64_t epoch) const;
  std::optional<Scope> saw(const Section& section, Thread thread, std::uint64_t epoch) const;
  std::optional<Scope> released(const Section& section, Thread thread, std::uint64_t epoch) const;
  std::vector<const Section*> sections_of(Thread thread, std::uint64_t epoch) const;

  unsigned warp_size_;
  using Places = std::vector<std::uint64_t>;
  std::unordered_map<std::uint64_t, Section> open_;                      // by place
  std::map<Thread, Places> held_;                                        // by holder
  std::unordered_map<std::uint64_t, Places> inside_;                     // with parts, by group
  std::unordered_map<Thread, std::vector<Section>> closed_;              // by holder
  std::unordered_map<std::uint64_t, std::vector<Section>> closed_parts_; // with parts, by group
  std::unordered_map<std::uint64_t, std::set<Thread>> locks_; // who gave them back: up to two
  std::set<std::uint64_t> by_number_; // those of them that threads took by a drawn number
  struct Drawn {
    std::uint64_t place, number;
  };
  std::unordered_map<Thread, Drawn> drawn_; // the last number
  struct Fences {
    std::uint64_t of_block = 0, of_device = 0; // epochs of the last ones
  };
  std::unordered_map<Thread, Fences> fences_;
  std::unordered_map<std::uint64_t, Write> written_; // the last write, by place
  std::vector<Step> steps_;
  bool too_many_ = false;
  std::size_t opened_ = 0, kept_ = 0; // counts of sections
};

} // namespace gputest::simulator
