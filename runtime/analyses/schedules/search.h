// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches for an order of groups or of work-items that changes what a test case computes, and for
// the simplest one that does.
//
// A difference is explained as in CLTestCheck (Peng, Rajan: CLTestCheck: Measuring Test
// Effectiveness for GPU Kernels, FASE 2019, section 3.3). Here groups run one at a time, so that
// nothing else can be the cause. If one order of groups gives different outputs, work-items of a
// group race. If each order is stable and two orders differ, groups depend on each other.
#pragma once

#include "model/json.h"
#include "model/schedules/results.h"
#include "model/schedules/sites.h"
#include "runtime/analyses/schedules/runner.h"
#include "runtime/variants/schedule_orders.h"
#include "runtime/variants/schedule_state.h"

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gputest::runtime {

// Messages add this to a fault that the launch has whatever the order.
inline constexpr const char* kAsLaunched =
    ". That is the launch as it is: no other order was tried";

// The difference between two runs, in the first output that differs. `differing` and `compared`
// count scalars.
struct Difference {
  std::string buffer;
  std::uint64_t differing = 0, compared = 0;
  std::vector<model::DifferingElement> elements;
};

// Returns a finding if a case's inputs break what the kernel assumes; nullopt: they do not.
// `differs` says whether schedules change the outputs of another launch of the case.
using DiffersWith = std::function<bool(const Launch& launch)>;
using CaseCheck = std::function<std::optional<model::ScheduleFinding>(const DiffersWith& differs)>;

class ScheduleSearch {
public:
  struct Found {
    model::ScheduleFinding finding;
    std::optional<model::Schedule> schedule; // to replay it
  };
  struct Result {
    model::ScheduledCase scheduled; // its findings are in `found`
    std::vector<Found> found;
  };
  // Gets the schedule before each run, because the run may end this process.
  using Announce = std::function<void(const model::Schedule&)>;

  // Whether these are right, as others are: outputs of a run, at the positions of
  // ScheduleRunner::outputs().
  using AlsoRight = std::function<bool(const std::vector<Bytes>& outputs)>;

  // `runner` and `sites` must outlive the search. `waiting`: iterations after which a loop that may
  // wait is ended. When such a loop is explained, groups run one at a time, and it gets fewer.
  ScheduleSearch(ScheduleRunner& runner, const model::ScheduleSites& sites, std::string kernel,
                 SearchSettings settings, std::uint32_t waiting, Announce announce);

  // From here on, outputs that differ are no difference if those as launched and the others are
  // right.
  void judge_by(AlsoRight also_right) { also_right_ = std::move(also_right); }

  // Runs all schedules until one shows something. Throws what ScheduleRunner::run() throws.
  Result run(const CaseCheck& check);
  // Runs this schedule alone.
  Result replay(const model::Schedule& schedule);
  // Returns whether any schedule changes the outputs.
  bool differs();

private:
  model::Schedule plain(model::Strategy strategy) const;
  std::vector<model::Schedule> schedules() const;
  ScheduleRun observe(const model::Schedule& schedule);
  ScheduleRun observe(const model::Schedule& schedule, std::uint32_t budget, bool trace = false);
  Difference difference(const ScheduleRun& launched, const ScheduleRun& scheduled);
  bool same(const ScheduleRun& launched, const ScheduleRun& scheduled);
  // Returns the first of up to `repeat` runs that differs from `launched`.
  std::optional<ScheduleRun> differing(const ScheduleRun& launched,
                                       const model::Schedule& schedule);
  Found describe(model::FindingKind kind, const ScheduleRun& launched, const ScheduleRun& scheduled,
                 const model::Schedule& schedule, std::string message);
  void explain(const model::Schedule& schedule, const ScheduleRun& launched,
               const ScheduleRun& scheduled, std::vector<Found>& found);
  bool explain_groups(const model::Schedule& schedule, const ScheduleRun& serial,
                      std::vector<Found>& found);
  bool explain_items(const model::Schedule& schedule, const ScheduleRun& serial,
                     std::vector<Found>& found);
  void add_loop(const ScheduleRun& run, model::ScheduleFinding& finding) const;
  std::optional<Found> explain_wait(const model::Schedule& schedule, const ScheduleRun& run);
  std::optional<Found> own_fault(const model::Schedule& own, const ScheduleRun& launched);
  std::optional<Found> look(const model::Schedule& schedule, const ScheduleRun& launched,
                            std::vector<Found>& found);
  std::vector<std::uint32_t> group_order(const model::Schedule& schedule) const;
  std::string names(const std::vector<std::uint32_t>& ids,
                    const std::array<std::uint64_t, 3>& of) const;

  ScheduleRunner& runner_;
  const model::ScheduleSites& sites_;
  std::string kernel_;
  SearchSettings settings_;
  std::uint32_t waiting_;
  std::size_t compared_; // of the runner's outputs, those in front
  Announce announce_;
  AlsoRight also_right_;
  // The verdict on a case without findings.
  model::ScheduleVerdict without_findings() const {
    return within_tolerance_ ? model::ScheduleVerdict::WithinTolerance
                             : model::ScheduleVerdict::Held;
  }

  bool within_tolerance_ = false;
};

// Messages of the worker.
using model::from_json, model::to_json;
constexpr auto fields_of(const ScheduleSearch::Found*) {
  using T = ScheduleSearch::Found;
  return std::tuple{model::field("finding", &T::finding), model::field("schedule", &T::schedule)};
}
constexpr auto fields_of(const ScheduleSearch::Result*) {
  using T = ScheduleSearch::Result;
  return std::tuple{model::field("case", &T::scheduled), model::field("found", &T::found)};
}

} // namespace gputest::runtime
