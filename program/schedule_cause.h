// Why a program differs under a schedule: which of its kernels and launches do it, and what moves
// must be made.
//
// What a difference shows is decided as for kernels (runtime/analyses/schedules/search.h): with the
// groups of the launches run one at a time, so that nothing else can be the cause.
#pragma once

#include "program/scheduled_program.h"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

// `schedule`, of these kernels alone.
model::Schedule with_kernels(const model::Schedule& schedule, const std::set<std::string>& labels);

struct Cause {
  model::ScheduleFinding finding; // without a file
  model::Schedule schedule;       // that shows it
};

class CauseFinder {
public:
  CauseFinder(ScheduledProgram& program, const ScheduleSettings& settings)
      : program_(program), settings_(settings) {}

  // Which of `open` make the difference, each by itself; or together, where none does it alone.
  // Empty: it was seen once and not again.
  std::vector<std::set<std::string>> kernels(const model::Schedule& schedule, const Shown& shown,
                                             const std::set<std::string>& open);

  // `shown`: by this schedule; nullptr: not run yet. Empty: values differ within the tolerance.
  std::vector<Cause> explain(const model::Schedule& schedule, const Shown* shown);

  // What is seen, without a reason. nullopt: values differ within the tolerance.
  std::optional<model::ScheduleFinding> describe(const model::Schedule& schedule,
                                                 const Shown& shown);

private:
  using Clock = std::chrono::steady_clock;
  bool differs(const model::Schedule& schedule);
  // Fewer launches of its kernel.
  model::Schedule with_fewest_launches(const model::Schedule& schedule);
  // With the moves that are needed alone, if all its launches have the same sizes. Returns the
  // linear ids.
  std::vector<std::uint32_t> shrink_order(model::Schedule& schedule, model::Order& order,
                                          const std::vector<std::uint32_t>& all);
  // In which groups are started, where that is another one than as launched.
  std::optional<model::Order> group_order(const model::Schedule& schedule) const;
  std::optional<Cause> explain_wait(const model::Schedule& schedule);
  std::optional<Cause> explain_items(const model::Schedule& schedule);
  std::optional<Cause> explain_groups(const model::Schedule& schedule);
  std::optional<Cause> cause(model::FindingKind kind, const model::Schedule& schedule,
                             std::string_view what);

  ScheduledProgram& program_;
  const ScheduleSettings& settings_;
  std::optional<model::Sizes> sizes_; // of the launches that are explained, if all have the same
};

} // namespace gputest::program
