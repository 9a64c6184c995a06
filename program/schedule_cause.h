// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds why a program differs under a schedule: which of its kernels and launches cause it, and
// which groups or items must move.
//
// Findings get their kind as for kernels (runtime/analyses/schedules/search.h): the groups of the
// launches run one at a time, so that nothing else can be the cause.
#pragma once

#include "program/schedules.h"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

// Returns `schedule` for these kernels alone.
model::Schedule with_kernels(const model::Schedule& schedule, const std::set<std::string>& labels);

struct Cause {
  model::ScheduleFinding finding; // without a file
  model::Schedule schedule;       // the schedule that shows it
};

class CauseFinder {
public:
  explicit CauseFinder(ScheduledProgram& program) : program_(program) {}

  // Returns the kernels of `open` that cause the difference, each by itself, or together if none
  // does so alone. Empty: the difference was seen once and not again.
  std::vector<std::set<std::string>> kernels(const model::Schedule& schedule, const Shown& shown,
                                             const std::set<std::string>& open);

  // Returns the causes. `shown` is what this schedule showed; nullptr: it has not run yet. Empty:
  // values differ within the tolerance.
  std::vector<Cause> explain(const model::Schedule& schedule, const Shown* shown);

  // Returns the difference without its cause; nullopt: values differ within the tolerance.
  std::optional<model::ScheduleFinding> describe(const model::Schedule& schedule,
                                                 const Shown& shown);

private:
  using Clock = std::chrono::steady_clock;
  bool differs(const model::Schedule& schedule);
  // Returns the schedule with the fewest launches of its kernel.
  model::Schedule with_fewest_launches(const model::Schedule& schedule);
  // Shrinks `order` to the moves that are needed, if all its launches have the same sizes. Returns
  // the linear ids.
  std::vector<std::uint32_t> shrink_order(model::Schedule& schedule, model::Order& order,
                                          const std::vector<std::uint32_t>& all);
  // Returns the order in which groups are started; nullopt: as launched.
  std::optional<model::Order> group_order(const model::Schedule& schedule) const;
  std::optional<Cause> explain_wait(const model::Schedule& schedule);
  std::optional<Cause> explain_items(const model::Schedule& schedule);
  std::optional<Cause> explain_groups(const model::Schedule& schedule);
  std::optional<Cause> cause(model::FindingKind kind, const model::Schedule& schedule,
                             std::string_view what);

  ScheduledProgram& program_;
  // The sizes of the launches that are explained, if all have the same.
  std::optional<model::Sizes> sizes_;
};

} // namespace gputest::program
