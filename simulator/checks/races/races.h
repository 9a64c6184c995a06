// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The native part of the check of races, which templates/simulator/races.c calls.
#pragma once

#include "simulator/checks/check.h"
#include "simulator/checks/races/race_asyncs.h"
#include "simulator/checks/races/race_copies.h"
#include "simulator/checks/races/race_locks.h"
#include "simulator/checks/races/race_marks.h"
#include "simulator/checks/races/race_order.h"
#include "templates/simulator/context.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gputest::simulator {

class Races : public Watch {
public:
  // For a launch whose shape has `races`. Sets the context's words for the kernel's code. Throws
  // SimulatorFailure without memory.
  explicit Races(const WatchedLaunch& launch);
  ~Races() override;

  void begin_group() override;
  void continue_group() override;
  void pass_barrier(unsigned site, unsigned flags) override;
  void pass_warp(std::uint64_t first, std::uint64_t lanes, bool steps) override;
  void pass_grid() override;
  void end_launch() override { marks_.keep(findings_.any()); }
  void keep_accessed(const std::vector<Region>& regions) override { kept_regions_ = regions; }
  std::vector<Accessed> accessed() override;
  void pass_fence(ir::FenceKind kind) override;
  // The running thread arrives at a phase of a barrier. `waits`: it does nothing before it waits.
  void arrive(std::uint64_t place, std::uint64_t phase, bool waits);
  void awaited(std::uint64_t item, std::uint64_t place, std::uint64_t phase) override;
  // The running work-item is about to access that place strongly; `local`: in local memory.
  void strong(std::uint64_t place, bool local, const RaceOrder::Strong& what,
              const RaceLocks::Change& change);

  // Examines an access that may race; kernels call it as gputest_race().
  void report(const std::byte* at, std::uint64_t size, unsigned site, bool local, bool atomic,
              bool write, const std::byte* value);

  // The same for an access of global memory that the simulator itself makes. Also sets its mark.
  void access(const std::byte* at, std::uint64_t size, unsigned site, bool write);

  // Sets the site of the next accesses of pixels.
  void pixels_at(unsigned site) { pixel_site_ = site; }
  void pixel(const std::byte* at, std::size_t size, bool write) {
    access(at, size, pixel_site_, write);
  }

  // From now on, the copy may happen at any time until each work-item has waited for it. It is
  // ordered after everything before a barrier.
  void begin_copy(const Copy& copy, unsigned site, std::uint64_t event,
                  std::uint64_t item) override;
  void end_copy(std::uint64_t event, std::uint64_t item) override;

  // The running thread's asynchronous copies (race_asyncs.h).
  void begin_async(std::byte* to, const std::byte* from, std::uint64_t size, std::uint64_t key,
                   std::uint64_t stage, unsigned site);
  void commit_asyncs();
  void wait_for_asyncs(std::uint64_t prior);
  void bind_asyncs(std::uint64_t key, std::uint64_t stage);
  void complete_asyncs(std::uint64_t key, std::uint64_t stage);

protected:
  std::uint64_t running_group() const; // its linear id

  const ir::KernelShape& shape_;
  unsigned dimensions_;
  gputest_context& context_;
  const Arena& arena_;
  Region nowhere_;
  Findings& findings_;

private:
  static constexpr unsigned kLocalFence = 1, kGlobalFence = 2; // the values of CLK_…
  enum Kind { PlainWrite, PlainRead, AtomicWrite, AtomicRead };

  struct Access {
    unsigned site;
    bool local, atomic, write, of_copy;
    std::uint64_t mark;
    const std::byte* value; // the stored value; null: not known
  };
  // The lanes with which a work-item has met, and the epoch that began then, as in marks.
  struct Meeting {
    std::uint64_t lanes = 0;
    std::uint64_t start = 0;
  };
  std::uint64_t group_of(std::uint64_t mark) const;
  WorkItem item_of(std::uint64_t mark) const;
  bool met_since(std::uint64_t mark, const Access& mine) const;
  void meet(std::uint64_t first, std::uint64_t lanes);
  void step_together(std::uint64_t first, std::uint64_t lanes);
  bool is_of_group(std::uint64_t mark) const; // of the running group
  bool scopes_part(std::uint64_t atomic, const Access& mine) const;
  bool unordered(std::uint64_t mark, const Access& mine) const;
  // Whether nothing is there that an access may conflict with, so that there is nothing to report.
  bool is_free(const std::byte* at, std::uint64_t size, bool write) const;

  void report_access(const std::byte* at, std::uint64_t size, const Access& mine,
                     std::uint64_t item);
  void report_bytes(const std::byte* at, std::uint64_t bytes, const Access& mine);
  void report_copies(const std::byte* at, std::uint64_t size, const Access& mine,
                     std::uint64_t item);
  void report_asyncs(const std::byte* at, std::uint64_t size, const Access& mine);
  void report_pair(const std::byte* at, const Access& mine, std::uint64_t mark, Kind kind,
                   bool same_value);
  void describe(Finding& finding, const std::byte* at, const Access& mine, std::uint64_t mark,
                Kind kind, bool same_value, const std::string& why) const;
  std::string name_of(const Access& access) const;
  std::string cause(const std::string& name, bool between_groups, bool local) const;
  std::string why_unordered(std::uint64_t mark, bool between_groups, bool local,
                            const std::string& name) const;
  std::string why_unfenced(std::uint64_t mark) const;
  std::string fence_for(bool between_groups) const;

  // Two accesses that a lock orders: this run's order of them, by sections of locks that both are
  // in. The pair waits for the ends of the sections.
  struct LockedPair {
    const std::byte* at;
    Access mine;
    std::uint64_t mark;
    Kind kind;
    bool same_value;
    std::size_t sections = 0; // that have not ended
    bool ordered = false;     // by fences, whoever comes first
    std::string why{};
  };
  struct LockedPairOf { // a section
    std::shared_ptr<LockedPair> pair;
    RaceLocks::Common fences;
  };
  void keep_locked(const std::byte* at, const Access& mine, std::uint64_t mark, Kind kind,
                   bool same_value);
  void end_section(const RaceLocks::Section& section);
  std::string why_unlocked(const LockedPairOf& pair,
                           const std::optional<RaceOrder::Scope>& released) const;
  void report_locked(const LockedPair& pair);
  std::uint64_t key_of(std::uint64_t place, bool local) const;
  std::uint64_t offset_of(std::uint64_t place) const;
  std::uint64_t key_of_awaited(std::uint64_t place) const;
  Finding* add(const char* kind, unsigned site, unsigned other);
  void leave_mark(std::byte* place, Kind kind, const Access& mine);
  void forget_known(const std::byte* at, std::uint64_t size, const Access& mine);
  void enclose_copies();

  // The state of a group, kept while other groups run.
  struct Running {
    std::uint64_t local_start = 0, global_start = 0;
    // The sites of the group's last barriers with a fence for local and for global memory.
    std::array<std::optional<unsigned>, 2> ordered_by{};
    // The group's barriers by site: the epoch that the last one began.
    struct Passed {
      std::uint64_t epoch;
      unsigned flags;
    };
    std::map<unsigned, Passed> passed{};
    std::vector<std::array<Meeting, 2>> meetings{}; // by work-item: the widest and the last meeting
    // In lock step instead, by work-item and lane: all before this epoch, as in marks, is ordered.
    std::vector<std::array<std::uint64_t, GPUTEST_MOST_LANES>> steps{};
  };
  void keep_running();
  RaceOrder::Thread thread_of(std::uint64_t item) const;
  RaceOrder::Thread thread_that_left(std::uint64_t mark) const;

  void next_epoch();
  void forget_epochs();

  Marks marks_;
  std::vector<Region> kept_regions_; // asked for
  std::vector<Accessed> kept_;       // there, by marks that are gone
  void keep_accesses();
  unsigned pixel_site_ = 0;
  std::uint64_t epoch_ = 0;

  struct GroupStart {
    std::uint64_t epoch, group; // linear id; kForgotten: a group whose epochs were forgotten
  };
  static constexpr std::uint64_t kForgotten = ~std::uint64_t{0};
  std::vector<GroupStart> groups_;

  std::uint64_t group_ = kForgotten; // the running group
  Running now_;
  std::map<std::uint64_t, Running> waiting_; // groups that wait while others run
  // How many threads wait for a phase since they have arrived, by key and phase. If all threads of
  // the group do, the phase is a barrier, which has been passed when the first one goes on.
  struct Phase {
    std::uint64_t waiting = 0;
    bool passed = false;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Phase> phases_;
  RaceOrder order_;
  RaceLocks locks_{shape_.warp_size};
  std::unordered_map<std::size_t, std::vector<LockedPairOf>> locked_; // by number of the section
  std::map<std::pair<unsigned, unsigned>, unsigned> led_; // how often, by sites, messages lead

  CopiesUnderWay copies_;
  std::set<unsigned> copy_sites_;
  std::map<std::uint64_t, AsyncCopies> asyncs_; // by group

  // Reported pairs, because a kernel may race in each access.
  std::unordered_map<std::uint64_t, std::size_t> pairs_; // indices of findings
  std::uint64_t last_pair_ = ~std::uint64_t{0};
  std::size_t last_index_ = 0;
};

} // namespace gputest::simulator
