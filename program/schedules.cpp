// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/schedules.h"

#include "model/clock.h"
#include "model/text/file_name.h"
#include "program/kind.h"
#include "program/schedule_cause.h"
#include "program/time_limit.h"
#include "runtime/variants/schedule_orders.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace gputest::program {
namespace {

using model::Schedule;
using Clock = std::chrono::steady_clock;

// Sizes for which every strategy has orders. Launches have their own sizes.
const model::Sizes kSomeSizes{.dimensions = 1, .global = {400, 1, 1}, .local = {20, 1, 1}};

std::vector<Schedule> schedules_for(const ScheduleSettings& settings, const std::string& name,
                                    const Schedule& as_launched) {
  const runtime::SearchSettings search{
      .strategy = settings.strategy, .count = settings.count, .seed = settings.seed};
  std::vector<Schedule> schedules = runtime::schedules_of(search, name, kSomeSizes, true);
  for (Schedule& schedule : schedules) {
    schedule.sizes = {};
    schedule.device = as_launched.device;
    schedule.program = as_launched.program;
  }
  return schedules;
}

// "clamp.group_sum" -> "clamp.group_sum-1.json", whatever the program calls its kernels.
std::string file_for(const std::string& label, std::size_t number) {
  return fmt::format("schedules/{}-{}.json", model::file_name_of(label), number);
}

class Search {
public:
  Search(ScheduledProgram& program, const ScheduleSettings& settings, const std::string& name)
      : settings_(settings), name_(name),
        limit_(settings.time_limit ? TimeLimit(*settings.time_limit) : TimeLimit()),
        program_(program), cause_(program) {}

  ProgramSchedules run() {
    const auto start = Clock::now();
    ProgramSchedules all;
    if (!program_.measure()) {
      all.skipped = true;
      return all;
    }
    all.not_measured = program_.not_measured();
    kernels_ = program_.kernels();
    notes_ = program_.notes();
    if (kernels_.empty() && all.not_measured.empty())
      throw PlainRunFailed("it launches no kernel");
    for (const auto& [label, kernel] : kernels_)
      open_.insert(label);
    const std::vector<Schedule> schedules = schedules_for(settings_, name_, program_.as_launched());
    if (!open_.empty())
      look(schedules);
    const double seconds = model::seconds_since(start);
    for (const auto& [label, kernel] : kernels_)
      all.kernels.push_back(describe(label, kernel, schedules.size(), seconds));
    for (const NotMeasured& entry : all.not_measured)
      if (!entry.program.empty() && !entry.kernel.empty())
        all.kernels.push_back(untested(entry));
    all.reads = program_.reads();
    all.varying = program_.varying();
    all.runs = program_.runs();
    return all;
  }

private:
  // Runs under all schedules. A kernel that depends on one stays as launched from then on, so that
  // others can show what they do.
  void look(const std::vector<Schedule>& schedules) {
    std::size_t next = 0;
    while (next < schedules.size() && !open_.empty() && !limit_.is_over()) {
      const std::size_t count = std::min<std::size_t>(settings_.jobs, schedules.size() - next);
      std::vector<Schedule> batch;
      for (std::size_t i = 0; i < count; ++i)
        batch.push_back(with_kernels(schedules[next + i], open_));
      const std::vector<Shown> shown = program_.run_all(batch, 1);
      std::size_t i = 0;
      for (; i < count; ++i) {
        notes_.insert(shown[i].notes.begin(), shown[i].notes.end());
        if (!shown[i].differs)
          continue;
        // Pieces that vary only at times must not be blamed on an order.
        if (!std::exchange(is_certain_, true) && program_.measure_again())
          break;
        if (blame(batch[i], shown[i]))
          break; // the rest of the batch runs again without the kernels that were found
      }
      next += i;
    }
    not_run_ = open_.empty() ? 0 : schedules.size() - next;
  }

  // Returns whether a kernel was found, which is now left alone.
  bool blame(const Schedule& schedule, const Shown& shown) {
    std::vector<std::set<std::string>> suspects;
    if (open_.size() == 1)
      suspects.push_back(open_);
    else
      suspects = cause_.kernels(schedule, shown, open_);
    bool is_found = false;
    for (const std::set<std::string>& kernels : suspects) {
      const std::vector<Cause> causes =
          cause_.explain(with_kernels(schedule, kernels), open_.size() == 1 ? &shown : nullptr);
      for (const std::string& label : kernels)
        if (causes.empty())
          close_.insert(label);
      for (const Cause& cause : causes)
        found_[*kernels.begin()].push_back(cause);
      for (const std::string& label : kernels)
        open_.erase(label);
      is_found = true;
    }
    return is_found;
  }

  KernelSchedules describe(const std::string& label, const ScheduledKernel& kernel,
                           std::size_t schedules, double seconds) {
    KernelSchedules result = empty(label, kernel.name);
    model::Schedules& all = result.schedules;
    all.device = kernel.device;
    all.source = program_.source_of(label);
    for (const std::string& note : notes_)
      if (note.starts_with(label + ": "))
        all.notes.push_back(note);
    model::ScheduledCase scheduled;
    scheduled.name = name_;
    scheduled.schedules = schedules - not_run_;
    scheduled.not_run = not_run_;
    scheduled.runs = program_.runs();
    scheduled.seconds = seconds / static_cast<double>(kernels_.size());
    const auto found = found_.find(label);
    if (found != found_.end()) {
      scheduled.verdict = model::ScheduleVerdict::OrderDependent;
      for (const Cause& cause : found->second) {
        model::ScheduleFinding finding = cause.finding;
        finding.file = file_for(name_, scheduled.findings.size() + 1);
        result.files.emplace_back(finding.file, cause.schedule);
        scheduled.findings.push_back(std::move(finding));
      }
    } else if (close_.contains(label)) {
      scheduled.verdict = model::ScheduleVerdict::WithinTolerance;
    }
    all.cases.push_back(std::move(scheduled));
    return result;
  }

  KernelSchedules empty(const std::string& label, const std::string& kernel) const {
    KernelSchedules result{.label = label, .schedules = {}, .files = {}};
    result.schedules.name = name_;
    result.schedules.kernel = kernel;
    result.schedules.strategy = settings_.strategy;
    result.schedules.count = settings_.count;
    result.schedules.repeat = 1;
    result.schedules.seed = settings_.seed;
    return result;
  }

  // Schedules without a case, which count as a failure.
  KernelSchedules untested(const NotMeasured& entry) const {
    KernelSchedules result = empty(entry.program + "." + entry.kernel, entry.kernel);
    result.schedules.notes = {"not run in other orders: " + entry.reason};
    return result;
  }

  const ScheduleSettings& settings_;
  const std::string& name_;
  TimeLimit limit_;
  std::size_t not_run_ = 0; // orders that the limit has left out
  ScheduledProgram& program_;
  std::map<std::string, ScheduledKernel> kernels_; // by label
  CauseFinder cause_;
  bool is_certain_ = false;     // what varies by itself is known after more runs
  std::set<std::string> open_;  // kernels without findings
  std::set<std::string> close_; // kernels whose results differ within the tolerance
  std::set<std::string> notes_;
  std::map<std::string, std::vector<Cause>> found_; // by label
};

} // namespace

ProgramSchedules run_schedules(TestedProgram& program, const ScheduleSettings& settings) {
  if (auto repeated = program.repeat_launches(settings))
    return *std::move(repeated);
  return Search(*program.schedules(settings), settings, program.task().name).run();
}

Replayed replay_schedule(TestedProgram& of, const ScheduleSettings& settings,
                         const Schedule& schedule, unsigned repeat) {
  const auto start = Clock::now();
  const std::unique_ptr<ScheduledProgram> scheduled_program = of.schedules(settings);
  ScheduledProgram& program = *scheduled_program;
  Replayed replayed;
  if (!program.measure()) {
    replayed.skipped = true;
    return replayed;
  }
  replayed.not_measured = program.not_measured();
  CauseFinder cause(program);
  model::ScheduledCase& scheduled = replayed.scheduled;
  scheduled.name = of.task().name;
  scheduled.schedules = 1;
  for (unsigned i = 0; i < repeat && scheduled.findings.empty(); ++i) {
    const Shown shown = program.run(schedule);
    if (shown.sizes.empty())
      throw PlainRunFailed("it makes no launch that the schedule is of");
    if (!shown.differs)
      continue;
    if (const auto finding = cause.describe(schedule, shown))
      scheduled.findings.push_back(*finding);
    else
      scheduled.verdict = model::ScheduleVerdict::WithinTolerance;
  }
  if (!scheduled.findings.empty())
    scheduled.verdict = model::ScheduleVerdict::OrderDependent;
  scheduled.runs = program.runs();
  scheduled.seconds = model::seconds_since(start);
  return replayed;
}

} // namespace gputest::program
