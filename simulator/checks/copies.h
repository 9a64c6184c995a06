// async_work_group_copy, async_work_group_strided_copy and wait_group_events, which a whole
// work-group calls together (OpenCL C 1.2, 6.12.10): templates/simulator/copies.cl.
//
// A copy happens when the first work-item waits for it: as late as it may, so that what reads or
// writes in between finds what it would find at worst. No call waits for the other work-items.
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
  void meet(); // all work-items have come to a barrier, or have ended
  void end_group();

  // Notes a copy by the work-item with this linear id in its group. The event is `event` if that is
  // the event of another copy that is under way, else a new one.
  std::uint64_t copy(std::uint64_t item, unsigned site, const Copy& what, std::uint64_t event);

  // For the event at `index` of `count`.
  void wait(std::uint64_t item, unsigned site, unsigned count, unsigned index, std::uint64_t event);

private:
  // What all work-items of the group have to call alike.
  struct Call {
    bool waits;
    unsigned site;
    Copy copy{};             // of copies
    std::uint64_t event = 0; // that was given
    std::uint64_t result = 0;
    unsigned count = 0;                   // of waits
    std::vector<std::uint64_t> events{};  // of waits
    std::uint64_t first = 0, reached = 0; // work-item; how many
  };
  struct UnderWay {
    Copy copy;
    unsigned site;
    std::uint64_t event, waited; // waited: by how many
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

  const KernelShape& shape_;
  unsigned dimensions_;
  const gputest_context& context_;
  const Arena& arena_;
  Findings& findings_;
  const std::vector<std::unique_ptr<Watch>>& watches_;

  std::uint64_t items_ = 0;               // of the group
  std::vector<std::uint64_t> calls_made_; // by work-item
  std::deque<Call> calls_;                // those that not all have made
  std::uint64_t forgotten_ = 0;           // how many are no longer among them
  std::deque<UnderWay> under_way_;
  std::vector<std::uint64_t> waited_for_; // by the wait that a work-item is in
  std::uint64_t last_event_ = 0x45560000; // unlike what uninitialized variables hold
};

} // namespace gputest::simulator
