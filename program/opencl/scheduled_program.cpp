// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/scheduled_program.h"

#include "gputest/error.h"
#include "model/files.h"
#include "model/interface.h"
#include "model/schedules/sites.h"
#include "runtime/variants/schedule_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

constexpr double kLeastLimit = 10;       // seconds
constexpr double kSecondsPerPart = 1e-3; // for launches that are made one group at a time
// The budget of loops that may wait: this many times what they need as launched, and at least this
// many iterations, some tenths of a second. Kernels check every 65536 iterations whether others
// wait in vain.
constexpr std::uint64_t kBudgetFactor = 10, kBudgetLook = 65536;
constexpr std::uint64_t kMostBudget = 0xffff0000u;

std::string label_of(const RunRecords& records, const RecordedState& state) {
  const auto program = std::ranges::find_if(records.programs, [&](const BuiltSource& built) {
    return built.process == state.process && built.number == state.program;
  });
  return program == records.programs.end() ? "" : program->stem + "." + state.kernel;
}

std::uint32_t budget_for(std::uint32_t iterations, const std::string& device_type) {
  const std::uint64_t least =
      device_type == "cpu" ? runtime::kWaitingOnCpu : runtime::kWaitingOnGpu;
  const std::uint64_t budget = std::max(least, kBudgetFactor * iterations);
  return static_cast<std::uint32_t>(
      std::min(kMostBudget, (budget + kBudgetLook - 1) / kBudgetLook * kBudgetLook));
}

} // namespace

fs::path OpenClScheduled::folder_of(std::size_t number) const {
  return settings_.run_folder.parent_path() / "orders" / std::to_string(number);
}

bool OpenClScheduled::measure() {
  run_ = settings_.run;
  run_.measure = "schedules";
  run_.trace = true;
  unchanged_ = run_unchanged(
      settings_, run_, child_in(settings_, settings_.run_folder), reads_, oracle_,
      [&](const RunRecords& records, bool first) { look(first ? records_ = records : records); });
  run_.trace = false;
  runs_ += unchanged_.runs;
  return !unchanged_.skipped;
}

bool OpenClScheduled::measure_again() {
  const std::size_t before = reads_.varying();
  set_budgets(1);
  for (int i = 0; i < 2; ++i) {
    const ChildSettings child = child_in(settings_, settings_.run_folder);
    const ChildResult result = run_recorded(child, settings_.run_folder, run_);
    ++runs_;
    if (const std::string problem = oracle_.add_original(result, output_of(child));
        !problem.empty())
      throw PlainRunFailed(fmt::format("{}, in one of {} runs; see {}", clause_of(problem, result),
                                       runs_, child.output.string()));
    reads_.add(read_run_folder(settings_.run_folder).reads);
  }
  return reads_.varying() > before;
}

void OpenClScheduled::look(const RunRecords& records) {
  std::map<std::pair<std::string, std::string>, std::uint64_t> launches; // by label and process
  parts_ = 0;
  for (const RecordedState& recorded : records.states) {
    const std::string label = label_of(records, recorded);
    const auto state = read_state_file(recorded.file);
    if (label.empty() || !state)
      continue;
    LaunchedKernel& kernel = kernels_[label];
    if (&records == &records_ || kernel.process.empty()) {
      kernel.process = recorded.process;
      kernel.program = recorded.program;
    }
    kernel.name = recorded.kernel;
    kernel.device = recorded.device;
    kernel.variant = recorded.variant;
    const std::uint64_t all = launches[{label, recorded.process}] += state->launches;
    kernel.launches = std::max(kernel.launches, all);
    parts_ += state->launches * recorded.sizes.group_count();
    if (recorded.note)
      notes_.insert(label + ": " + *recorded.note);
    try {
      const auto notice = runtime::read_schedule_notice(state->bytes);
      kernel.budget = std::max(kernel.budget, budget_for(notice.iterations, recorded.device_type));
    } catch (const Error& error) {
      throw PlainRunFailed(fmt::format("kernel {}: {}", label, error.what()));
    }
  }
}

void OpenClScheduled::set_budgets(std::uint32_t patience) {
  for (const auto& [label, kernel] : kernels_)
    run_.budgets[label] =
        static_cast<std::uint32_t>(std::min(kMostBudget, std::uint64_t{kernel.budget} * patience));
}

double OpenClScheduled::limit(const model::Schedule& schedule) const {
  const double usual =
      settings_.timeout_factor * std::max(unchanged_.seconds, unchanged_.first_seconds);
  const double parts = schedule.strategy == model::Strategy::Permute
                           ? 0
                           : kSecondsPerPart * static_cast<double>(parts_);
  return std::max(kLeastLimit, usual + parts);
}

std::vector<Shown> OpenClScheduled::run_all(const std::vector<model::Schedule>& schedules,
                                            std::uint32_t patience) {
  set_budgets(patience);
  std::vector<Shown> shown(schedules.size());
  Children children;
  std::vector<process::Tries> tries(schedules.size());
  const auto start = [&](std::size_t number) {
    RunSettings run = run_;
    run.schedule = schedules[number];
    prepare_run_folder(folder_of(number), run);
    ChildSettings child = child_in(settings_, folder_of(number));
    child.timeout = limit(schedules[number]) * patience;
    children.start(number, child);
  };
  std::size_t next = 0;
  while (next < schedules.size() || children.count() > 0) {
    for (; next < schedules.size() && children.count() < settings_.jobs; ++next)
      start(next);
    const auto [number, result] = children.wait();
    ++runs_;
    if (tries[number].again(result, "the program")) {
      start(number);
      continue;
    }
    if (!tries[number].given_up().empty())
      throw std::runtime_error("error: " + tries[number].given_up());
    const std::string output = output_of(child_in(settings_, folder_of(number)));
    shown[number] = judge(result, output, read_run_folder(folder_of(number)));
    std::error_code ignored;
    fs::remove_all(folder_of(number), ignored);
  }
  return shown;
}

Shown OpenClScheduled::judge(const ChildResult& result, const std::string& output,
                             const RunRecords& records) const {
  Shown shown;
  for (const RecordedState& recorded : records.states) {
    if (!recorded.ordered)
      continue;
    const std::string label = label_of(records, recorded);
    if (std::ranges::find(shown.sizes, recorded.sizes) == shown.sizes.end())
      shown.sizes.push_back(recorded.sizes);
    if (recorded.note)
      shown.notes.insert(label + ": " + *recorded.note);
    const auto state = read_state_file(recorded.file);
    if (!state || !shown.waits_in.empty())
      continue;
    try {
      const unsigned loop = runtime::read_schedule_notice(state->bytes).waits_in;
      if (loop == 0)
        continue;
      shown.waits_in = label;
      const auto sites = model::read_schedule_sites(recorded.variant / "schedule-sites.json");
      if (loop <= sites.loops.size())
        shown.loop = sites.loops[loop - 1];
    } catch (const Error&) {
      continue; // overwritten: the program's message is added below
    }
  }
  shown.has_timed_out = result.timed_out;
  shown.has_crashed = result.signal != 0;
  const auto noticed = oracle_.noticed(result, output);
  shown.is_noticed = result.timed_out || noticed;
  shown.reads = records.reads;
  if (!records.read_by_threads) // otherwise it is not known which piece is which
    shown.pieces = reads_.differing(records.reads);
  const std::string difference = reads_.difference(records.reads);
  shown.differs = shown.is_noticed || !difference.empty() || !shown.waits_in.empty();
  if (shown.is_noticed)
    shown.text =
        fmt::format("the program notices: {}", result.timed_out ? result.text() : noticed->detail);
  else if (!difference.empty())
    shown.text = difference + ", and the program does not notice";
  return shown;
}

KeptReads OpenClScheduled::kept_of(const fs::path& folder, const RunSettings& run, double limit) {
  ChildSettings child = child_in(settings_, folder);
  child.timeout = limit;
  run_recorded(child, folder, run);
  ++runs_;
  return kept_reads(read_run_folder(folder));
}

ReadValues OpenClScheduled::compare(const model::Schedule& schedule,
                                    const std::set<std::size_t>& pieces) {
  ReadValues values;
  if (pieces.empty())
    return values;
  set_budgets(1);
  RunSettings run = run_;
  run.keep_reads = pieces;
  const auto launched = kept_of(folder_of(0), run, limit(schedule));
  run.schedule = schedule;
  const auto ordered = kept_of(folder_of(1), run, limit(schedule));
  values = program::compare(launched, ordered, settings_.tolerance);
  std::error_code ignored;
  fs::remove_all(folder_of(0).parent_path(), ignored);
  return values;
}

std::string OpenClScheduled::source_of(const std::string& label) const {
  const LaunchedKernel& kernel = kernels_.at(label);
  const auto program = std::ranges::find_if(records_.programs, [&](const BuiltSource& built) {
    return built.process == kernel.process && built.number == kernel.program;
  });
  if (program == records_.programs.end())
    return "";
  const model::Interface interface =
      model::read_interface(coverage_variant(*program, settings_.run) / "interface.json");
  const model::KernelInterface* described = interface.find(kernel.name);
  return described ? described->file : "";
}

model::Schedule OpenClScheduled::as_launched() const {
  model::Schedule schedule;
  schedule.device = settings_.run.simulator ? "simulator" : "";
  schedule.program = settings_.launches;
  return schedule;
}

} // namespace gputest::program
