// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Implements async_work_group_copy, async_work_group_strided_copy and wait_group_events
// (templates/simulator/copies.cl), which a whole work-group calls together (OpenCL C 1.2, 6.12.10).
//
// A copy is made when the first work-item waits for it, the latest time allowed. So accesses in
// between see the worst case. No call waits for other work-items.
#pragma once

#include "simulator/checks/check.h"

#include <deque>
#include <utility>
#include <vector>

namespace gputest::simulator {

class Copies {
public:
  Copies(const WatchedLaunch& launch, const std::vector<std::unique_ptr<Watch>>& watches);

  void begin_group();
  void meet(); // all work-items have come to a barrier or ended
  void end_group();

  // Records a copy by the work-item with this linear local id. Returns its event: `event` if that
  // is the event of another unfinished copy, or a new one.
  std::uint64_t copy(std::uint64_t item, unsigned site, const Copy& what, std::uint64_t event);

  // Waits for the event at `index` of `count`.
  void wait(std::uint64_t item, unsigned site, unsigned count, unsigned index, std::uint64_t event);

private:
  // A call that all work-items of the group must make with equal arguments.
  struct Call {
    bool waits;
    unsigned site;
    Copy copy{};             // copies only
    std::uint64_t event = 0; // the event argument
    std::uint64_t result = 0;
    unsigned count = 0;                   // of waits
    std::vector<std::uint64_t> events{};  // of waits
    std::uint64_t first = 0, reached = 0; // the first work-item, and the number of work-items, that
                                          // made the call
  };
  struct UnderWay {
    Copy copy;
    unsigned site;
    std::uint64_t event, waited; // waited: how many work-items have
    std::vector<bool> waits;     // by work-item
  };

  std::pair<Call&, bool> next_call(std::uint64_t item, Call&& call);
  std::string name_of(std::uint64_t item) const;
  void report_other_arguments(const Call& call, std::uint64_t item, unsigned site,
                              const std::string& what);
  void report_not_reached(const Call& call, const char* by);
  void report_event(const char* what, std::uint64_t item, unsigned site);
  void perform(const UnderWay& copy);
  bool inside(const std::byte* at, std::size_t size, const UnderWay& copy, bool write);

  const ir::KernelShape& shape_;
  unsigned dimensions_;
  const gputest_context& context_;
  const Arena& arena_;
  Findings& findings_;
  const std::vector<std::unique_ptr<Watch>>& watches_;

  std::uint64_t items_ = 0;               // work-items of the group
  std::vector<std::uint64_t> calls_made_; // by work-item
  std::deque<Call> calls_;                // calls that some work-items have not made
  std::uint64_t forgotten_ = 0;           // the number of calls that were removed
  std::deque<UnderWay> under_way_;
  std::vector<std::uint64_t> waited_for_; // the events of the present wait
  std::uint64_t last_event_ = 0x45560000; // unlike uninitialized variables
};

} // namespace gputest::simulator
