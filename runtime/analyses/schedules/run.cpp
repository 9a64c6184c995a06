// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --schedules and --schedule: run the cases under orders of groups and work-items.
#include "model/files.h"
#include "model/text/file_name.h"
#include "runtime/analyses/schedules/file.h"
#include "runtime/analyses/schedules/plan.h"
#include "runtime/analyses/schedules/programs.h"
#include "runtime/analyses/schedules/search.h"
#include "runtime/analyses/schedules/worker.h"
#include "runtime/process/worker.h"
#include "store/store.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;
using model::FindingKind;
using model::ScheduledCase;
using model::ScheduleFinding;

// Returns what could not be remapped, notes, and how many cases held, for the terminal.
std::string schedules_text(const model::Schedules& schedules) {
  std::string text;
  for (const model::NotInstrumented& entry : schedules.not_remapped)
    text += fmt::format("{}:{}:{}: error: {} cannot be remapped: {}\n", entry.file, entry.line,
                        entry.column, entry.construct, entry.reason);
  for (const std::string& note : schedules.notes)
    text += fmt::format("note: {}\n", note);
  if (const std::string left = model::not_run_text(schedules); !left.empty())
    text += fmt::format("{}: {}\n", schedules.name, left);
  const auto held = std::ranges::count_if(
      schedules.cases, [](const model::ScheduledCase& one) { return model::holds(one); });
  return text + fmt::format("{}: {} of {} cases hold under all schedules on {} (strategy {}, {} "
                            "runs of each, seed {})\n",
                            schedules.name, held, schedules.cases.size(), schedules.device,
                            model::strategy_text(schedules.strategy, schedules.count),
                            schedules.repeat, schedules.seed);
}

bool is_as_launched(const model::Schedule& schedule) {
  using Kind = model::Order::Kind;
  return schedule.strategy == model::Strategy::Permute && schedule.groups.kind == Kind::Launched &&
         schedule.items.kind == Kind::Launched;
}

class SchedulesRun {
public:
  explicit SchedulesRun(const Plan& plan) : plan_(plan), folder_(plan.result.parent_path()) {
    const SchedulePlan& options = schedule_plan(plan);
    result_.name = plan.name;
    result_.kernel = plan.kernel;
    result_.strategy = options.strategy;
    result_.count = options.count;
    result_.repeat = options.repeat;
    result_.seed = options.seed;
    // Files of an earlier run must not pass for findings of this one.
    if (!options.replay) {
      std::error_code ignored;
      fs::remove_all(folder_ / "schedules", ignored);
    }
  }

  void on_info(const ScheduleInfo& info) {
    result_.device = info.device;
    if (!result_.source.empty())
      return;
    if (!info.folder) {
      result_.source = known_sites(plan_).source;
      if (!model::row_of(plan_.settings.language).items_move)
        result_.notes.push_back("the threads of a block keep their order, and only blocks are "
                                "permuted");
      return;
    }
    const model::ScheduleSites sites = read_sites(*info.folder);
    result_.source = sites.source;
    result_.not_remapped = sites.not_remapped_in(plan_.kernel);
    const model::ScheduledKernel* kernel = sites.find(plan_.kernel);
    if (kernel && kernel->keeps_items)
      result_.notes.push_back(
          "the kernel uses sub-groups, which are made of neighbours: work-items "
          "keep their order, and only work-groups are permuted");
  }

  void on_start(const Json& detail) { in_flight_ = detail; }

  void on_done(ScheduleSearch::Result result) {
    for (ScheduleSearch::Found& found : result.found) {
      if (found.schedule)
        found.finding.file = keep(*found.schedule, result.scheduled);
      result.scheduled.findings.push_back(std::move(found.finding));
    }
    add(std::move(result.scheduled));
  }

  void on_lost(std::size_t index, Loss loss, const std::string& message, double seconds) {
    if (loss == Loss::Disturbed) // nothing is known of the kernel
      throw DeviceError(message);
    ScheduledCase scheduled;
    scheduled.name = plan_.cases[index].name;
    scheduled.schedules = 1;
    scheduled.runs = 1;
    scheduled.seconds = seconds;
    ScheduleFinding finding;
    finding.kind = loss == Loss::Timeout ? FindingKind::Timeout : FindingKind::Crash;
    finding.message = message;
    bool as_launched = true;
    if (!in_flight_.is_null()) {
      const auto schedule = in_flight_.get<model::Schedule>();
      as_launched = is_as_launched(schedule);
      finding.order = model::text_of(schedule);
      finding.file = keep(schedule, scheduled);
    }
    scheduled.verdict =
        as_launched ? model::ScheduleVerdict::Failed : model::ScheduleVerdict::OrderDependent;
    if (as_launched)
      finding.message += kAsLaunched;
    scheduled.findings.push_back(std::move(finding));
    add(std::move(scheduled));
  }

  // Adds what a shard found out, whose result is `file`.
  void take(const fs::path& file) {
    const model::Schedules part = model::read_schedules(file);
    if (result_.device.empty())
      result_.device = part.device;
    else if (result_.device != part.device && result_.notes.empty())
      result_.notes.push_back(
          fmt::format("shards ran on several devices, such as {}", part.device));
    result_.source = part.source;
    result_.not_remapped = part.not_remapped;
    for (const std::string& note : part.notes)
      if (std::ranges::find(result_.notes, note) == result_.notes.end())
        result_.notes.push_back(note);
    for (const ScheduledCase& one : part.cases) {
      const auto known = std::ranges::find(result_.cases, one.name, &ScheduledCase::name);
      ScheduledCase moved = one;
      for (ScheduleFinding& finding : moved.findings)
        if (!finding.file.empty())
          finding.file = (file.parent_path() / finding.file).string();
      if (known == result_.cases.end())
        result_.cases.push_back(std::move(moved));
      else
        merge(*known, moved);
    }
  }

  // All shards have been taken: their schedules become files of this result.
  int finish_whole() {
    std::vector<ScheduledCase> cases = std::move(result_.cases);
    result_.cases.clear();
    for (ScheduledCase& one : cases) {
      std::vector<ScheduleFinding> findings = std::move(one.findings);
      one.findings.clear();
      for (ScheduleFinding& finding : findings) {
        if (!finding.file.empty())
          finding.file = keep(model::read_schedule(finding.file), one);
        one.findings.push_back(std::move(finding));
      }
      add(std::move(one));
    }
    return finish();
  }

  // `content`: the hash for a shard's results.
  int finish(const std::string& content = {}) {
    if (schedule_plan(plan_).replay)
      return exit_code();
    if (!result_.not_remapped.empty())
      result_.cases.clear();
    result_.content = content;
    model::write_schedules(result_, plan_.result);
    if (schedule_plan(plan_).shard.is_part())
      return 0; // the run of the whole reports what it found
    store::Store((plan_.kernel_dir / ".." / "results.db").lexically_normal())
        .put_document(plan_.name, "schedules", model::pretty(model::to_json(result_)));
    fmt::print("{}", schedules_text(result_));
    return exit_code();
  }

private:
  int exit_code() const {
    const bool held = std::ranges::all_of(
        result_.cases, [](const ScheduledCase& one) { return model::holds(one); });
    return held && result_.not_remapped.empty() ? 0 : 1;
  }

  // Writes the file, unless this is a replay, which has it already.
  std::string keep(model::Schedule schedule, const ScheduledCase& scheduled) const {
    if (schedule_plan(plan_).replay)
      return "";
    const std::string file = fmt::format(
        "schedules/{}-{}.json", model::file_name_of(scheduled.name), scheduled.findings.size() + 1);
    schedule.device = plan_.machine->orders ? plan_.machine->name : "";
    keep_schedule(std::move(schedule), folder_ / file);
    return file;
  }

  void add(ScheduledCase scheduled) {
    fmt::print("{}", model::text_of(scheduled, folder_));
    std::fflush(stdout);
    result_.cases.push_back(std::move(scheduled));
    in_flight_ = nullptr;
  }

  const Plan& plan_;
  fs::path folder_;
  model::Schedules result_;
  Json in_flight_;
};

// With --schedule, the case and the machine are those of the file.
void prepare_schedules(Plan& plan, const Options& options) {
  // A language without a variant for orders needs a machine that takes instructions.
  if (!model::row_of(plan.settings.language).has_orders && !plan.machine->orders) {
    plan.machine = &kind_that(plan.machines, &MachineKind::orders);
    plan.device.clear();
  }
  SchedulePlan own = make_schedule_plan(plan.analysis);
  if (own.shard.is_part())
    plan.result = result_of(plan.result, own.shard);
  if (own.replay) {
    plan.result = plan.kernel_dir / "replay.json";
    if (!plan.wanted.empty())
      throw UsageError("--schedule names its case itself: leave out --case");
    plan.wanted = {own.replay->test_case};
    if (!options.device && !own.replay->device.empty())
      plan.device = own.replay->device; // a finding is shown again where it was found
    plan.machine = &kind_for(plan.machines, plan.device, plan.settings.language);
    if (own.replay->strategy == model::Strategy::Interleave && !plan.machine->interleavings)
      throw UsageError(fmt::format("the schedule switches work-items between two accesses, which "
                                   "the {0} alone can do: leave "
                                   "out --device, or give --device {0}",
                                   kind_that(plan.machines, &MachineKind::interleavings).name));
  }
  plan.own = std::move(own);
}

// schedule.cl, as launched.
Subject schedule_variant(const Plan& plan, Machine& machine) {
  const auto folder = schedule_folder(plan, read_sites(plan.kernel_dir), machine);
  Subject subject = schedule_subject(plan, folder, "schedule.cl");
  subject.scheduled = true;
  return subject;
}

int run_here(const Plan& plan, const KernelDescription& description, const std::string& content) {
  SchedulesRun session(plan);
  const bool remapped = !plan.machine->orders;
  const auto not_remapped = remapped ? read_sites(plan.kernel_dir).not_remapped_in(plan.kernel)
                                     : std::vector<model::NotInstrumented>();
  run_isolated({
      // Without cases, the worker only sends its messages.
      .cases = not_remapped.empty() ? plan.cases.size() : 0,
      .timeout = plan.timeout,
      .work = [&](const WorkerChannel& channel,
                  std::size_t first) { try_schedules(plan, description, channel, first); },
      .on_info = [&](const Json& info) { session.on_info(received<ScheduleInfo>(info)); },
      .on_done =
          [&](std::size_t, const Json& message) {
            session.on_done(received<ScheduleSearch::Result>(message));
          },
      .on_start = [&](std::size_t, const Json& detail) { session.on_start(detail); },
      .on_lost = [&](std::size_t index, Loss loss, const std::string& message,
                     double seconds) { session.on_lost(index, loss, message, seconds); },
  });
  return session.finish(content);
}

int run_whole(const Plan& plan, const KernelDescription& description, unsigned shards,
              const std::string& content) {
  SchedulesRun session(plan);
  const auto run_part = [&](const Shard& shard, const fs::path& result) {
    Plan part = plan;
    part.result = result;
    SchedulePlan own = schedule_plan(plan);
    own.shard = shard;
    part.own = std::move(own);
    return run_here(part, description, content);
  };
  const int code =
      gather_shards(plan, shards, content,
                    {.format = model::kSchedulesFormat,
                     .run = run_part,
                     .take = [&](const Shard&, const fs::path& result) { session.take(result); }});
  if (code != 0)
    return code;
  fmt::print("{} shards:\n", shards);
  return session.finish_whole();
}

// Runs every case of the plan in a worker, prints what it finds, writes schedules.json, and
// for each finding a schedule beside it, in schedules/. Returns 1 when any case depends on an
// order, is invalid, crashes or times out, or the kernel's ids could not be remapped; else 0.
int run_schedules(const Plan& plan, const KernelDescription& description) {
  const SchedulePlan& own = schedule_plan(plan);
  if (own.replay || (own.shards == 1 && !own.shard.is_part()))
    return run_here(plan, description, "");
  const std::string content = description.property ? content_with_program(plan, description)
                                                   : content_of(plan, description);
  return own.shard.is_part() ? run_here(plan, description, content)
                             : run_whole(plan, description, own.shards, content);
}

} // namespace

AnalysisRun schedules_analysis() {
  return {.name = "schedules",
          .prepare = prepare_schedules,
          .run = run_schedules,
          .variant = schedule_variant,
          .comparison = "comparison-schedules.json",
          .renames_items = true};
}

} // namespace gputest::runtime
