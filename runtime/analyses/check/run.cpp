// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --check: runs every case in the simulator, which looks for what no kernel may do;
// docs/simulator.md.
#include "gputest/error.h"
#include "model/checks/checks.h"
#include "model/checks/finding_groups.h"
#include "model/checks/notes.h"
#include "model/checks/results.h"
#include "model/shell.h"
#include "model/suppressions/suppressions.h"
#include "runtime/analyses/check/interleavings.h"
#include "runtime/analyses/check/sub_group_sizes.h"
#include "runtime/analyses/schedules/file.h"
#include "runtime/machine/checked_launch.h"
#include "runtime/machine/kind.h"
#include "runtime/plan/plan.h"
#include "runtime/process/worker.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace gputest::runtime {
namespace {

struct CheckPlan {
  std::uint64_t interleavings = 0; // the most for a case
  model::Suppressions suppressions;
};

// Such kernels have interleavings without end.
bool waits_between_groups(const std::vector<model::Finding>& findings) {
  return std::ranges::any_of(findings, [](const model::Finding& finding) {
    return finding.kind == "inter_group_dependency";
  });
}

bool is_asked(const Plan& plan, const char* check) {
  return std::ranges::count(plan.simulation.checks, check) != 0;
}

// What a worker sends about a case.
struct CheckMessage {
  model::CaseVerdict verdict = model::CaseVerdict::Passed;
  int exit_code = 0;
  std::string message{};
  double seconds = 0;
  std::vector<model::Finding> findings{}, notes{};
};
constexpr auto fields_of(const CheckMessage*) {
  using T = CheckMessage;
  using model::field;
  return std::tuple{field("verdict", &T::verdict),   field("exit", &T::exit_code),
                    field("message", &T::message),   field("seconds", &T::seconds),
                    field("findings", &T::findings), field("notes", &T::notes)};
}
using model::from_json, model::to_json;

// The objects that the checks of one case need.
class CheckedKernel {
public:
  explicit CheckedKernel(const Plan& plan)
      : plan_(plan), subject_(original_subject(plan)), explores_(is_asked(plan, kInterleavings)),
        machine_(plan.open_machine(&MachineKind::checks, checked(plan))),
        kernel_(
            machine_->build(subject_.text, subject_.settings, subject_.kernel, subject_.source)) {
    if (is_asked(plan, kSubGroupSizes))
      sizes_.emplace(*machine_, plan, subject_);
  }

  std::string device() const { return machine_->name(); }
  double limit() const { // each launch ends by itself
    return plan_.timeout * ((explores_ ? 4 : 2) + (sizes_ ? 4 : 0)) + 60;
  }

  CheckMessage run(const BoundCase& test_case) {
    CheckMessage reply;
    std::vector<model::Finding>& findings = reply.findings;
    const auto failed = [&](model::CaseVerdict verdict, int exit_code, const std::string& message) {
      reply.verdict = verdict;
      reply.exit_code = exit_code;
      reply.message = message;
    };
    try {
      if (!machine_->simulation()->checks.empty())
        reply.seconds = check(test_case, findings, reply.notes);
      if (sizes_ && ended_well(findings)) {
        const SizedCase sized = sizes_->run(test_case);
        add_new(sized.findings, findings);
        reply.seconds += sized.seconds;
        reply.message = sized.message;
      }
      if (explores_ && ended_well(findings) && !waits_between_groups(findings)) {
        const InterleavedCase explored =
            explore_case(*machine_, *kernel_, plan_.kernel, test_case,
                         {.interleavings = std::any_cast<const CheckPlan&>(plan_.own).interleavings,
                          .seconds = plan_.timeout});
        findings.insert(findings.end(), explored.findings.begin(), explored.findings.end());
        reply.seconds += explored.seconds;
        reply.message = explored.message + (sizes_ ? "; " + reply.message : "");
        if (!explored.proved)
          failed(model::CaseVerdict::NotProved, 1, explored.message);
      }
    } catch (const BuildError& error) {
      failed(model::CaseVerdict::Error, 1, error.what());
    } catch (const UsageError& error) {
      failed(model::CaseVerdict::Error, 2, error.what());
    } catch (const DeviceError& error) {
      failed(model::CaseVerdict::Error, 3, error.what());
    }
    return reply;
  }

private:
  static Simulation checked(const Plan& plan) {
    Simulation simulation = plan.simulation;
    simulation.limit = plan.timeout;
    std::erase(simulation.checks, kInterleavings);
    std::erase(simulation.checks, kSubGroupSizes);
    return simulation;
  }

  static void add_new(const std::vector<model::Finding>& more,
                      std::vector<model::Finding>& findings) {
    for (const model::Finding& finding : more)
      if (std::ranges::find(findings, pair_of(finding), &model::pair_of) == findings.end())
        findings.push_back(finding);
  }

  // Returns the seconds of the kernel.
  double check(const BoundCase& test_case, std::vector<model::Finding>& findings,
               std::vector<model::Finding>& notes) {
    BoundCase launched = test_case;
    const LaunchOutcome outcome = checked_launch(*machine_, *kernel_, launched.launch,
                                                 launched.arguments, plan_.settings.language);
    findings = outcome.findings;
    notes = outcome.notes;
    return outcome.seconds;
  }

  const Plan& plan_;
  Subject subject_;
  bool explores_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<BuiltKernel> kernel_;
  std::optional<SubGroupSizes> sizes_;
};

void work(const Plan& plan, const WorkerChannel& channel, std::size_t first) {
  CheckedKernel kernel(plan);
  channel.info({{"device", kernel.device()}});
  for (std::size_t i = first; i < plan.cases.size(); ++i) {
    CheckMessage result;
    {
      channel.start(i);
      channel.phase(kMakingArguments);
      const BoundCase test_case = bind_case(plan.cases[i], plan.interface, plan.defaults);
      channel.start(i, kernel.limit());
      channel.phase(fmt::format("kernel '{}'", plan.kernel));
      result = kernel.run(test_case);
    }
    channel.done(i, result);
  }
}

// Collects what workers report. Keeps one finding for each pair of places, that of the first case.
class CheckSession {
public:
  explicit CheckSession(const Plan& plan) : plan_(plan), folder_(plan.result.parent_path()) {
    results_.name = plan.name;
    results_.kernel = plan.kernel;
    results_.device.clear(); // until a worker has one
    results_.source = plan.source.string();
    results_.checks = plan.simulation.checks;
    // Files of an earlier run must not pass for findings of this one.
    std::error_code ignored;
    std::filesystem::remove_all(folder_ / "check", ignored);
  }

  void on_info(const Json& info) { info.at("device").get_to(results_.device); }

  void on_done(std::size_t index, const CheckMessage& done) {
    const std::string& name = plan_.cases[index].name;
    exit_code_ = std::max(exit_code_, done.exit_code);
    results_.cases.push_back({.name = name,
                              .verdict = done.verdict,
                              .message = done.message,
                              .seconds = done.seconds,
                              .findings = done.findings.size()});
    const model::CheckedCase& checked = results_.cases.back();
    fmt::print("checked: {} ({:.3f} s)\n", name, checked.seconds);
    if (!checked.message.empty())
      fmt::print("  {}\n", checked.message);
    for (const model::Finding& finding : done.findings)
      add(finding, name);
    notes_.print(done.notes);
    std::fflush(stdout);
  }

  void on_lost(std::size_t index, Loss loss, const std::string& message, double seconds) {
    const std::string& name = plan_.cases[index].name;
    const model::CaseVerdict known =
        model::named<model::CaseVerdict>(name_of(loss)).value_or(model::CaseVerdict::Error);
    if (known == model::CaseVerdict::Error)
      exit_code_ = 3;
    else
      lost_ = true;
    results_.cases.push_back(
        {.name = name, .verdict = known, .message = message, .seconds = seconds});
    fmt::print("{}: {} ({:.3f} s)\n  {}\n", name_of(loss), name, seconds, message);
  }

  int finish() {
    model::Suppressions suppressions = std::any_cast<const CheckPlan&>(plan_.own).suppressions;
    suppressions.apply(results_);
    model::FindingGroups groups;
    for (std::size_t i = 0; i < results_.findings.size(); ++i)
      tell(results_.findings[i], fmt::format("check/{}.json", i + 1), groups);
    for (const std::string& note : groups.notes())
      fmt::print("{}\n", note);
    write_check_results(results_, plan_.result);
    const std::size_t findings = results_.findings.size(), cases = results_.cases.size();
    fmt::print("{}: {} {}{} in {} {}; checked: {}\n", plan_.name, findings,
               findings == 1 ? "finding" : "findings",
               model::suppressed_text(results_.suppressed.size()), cases,
               cases == 1 ? "case" : "cases", fmt::join(results_.checks, ", "));
    return findings != 0 || lost_ ? 1 : exit_code_;
  }

private:
  void add(model::Finding finding, const std::string& test_case) {
    const auto [known, is_new] = known_.try_emplace(pair_of(finding), results_.findings.size());
    if (is_new) {
      results_.findings.push_back({.finding = std::move(finding), .cases = {test_case}});
      return;
    }
    model::CheckedFinding& found = results_.findings[known->second];
    absorb(found.finding, finding);
    if (found.cases.back() != test_case)
      found.cases.push_back(test_case);
  }

  // Prints the finding if it leads its group. What replays it becomes `file`.
  void tell(model::CheckedFinding& found, const std::string& file, model::FindingGroups& groups) {
    if (groups.leads(found.finding))
      fmt::print("{}\n  in {} {}\n", text_of(found.finding),
                 found.cases.size() == 1 ? "case" : "cases", fmt::join(found.cases, ", "));
    if (!found.finding.schedule)
      return;
    found.replay = file;
    keep_schedule(*found.finding.schedule, folder_ / file);
    found.finding.schedule.reset();
    fmt::print("  replay: {}\n", model::replay_command(folder_ / file));
  }

  const Plan& plan_;
  std::filesystem::path folder_;
  model::CheckResults results_;
  model::Notes notes_;
  std::map<std::string, std::size_t> known_; // by pair_of(): indices of findings
  int exit_code_ = 0;
  bool lost_ = false;
};

// The checks go into plan.simulation.
void prepare_checks(Plan& plan, const Options& options) {
  plan.simulation.checks = plan.analysis.flags();
  for (const std::string& name : plan.simulation.checks)
    if (const model::CheckRow* const row = model::find_check(name); row && row->of_host)
      throw UsageError(
          fmt::format("--check {}: it judges the host's code of programs, and a kernel "
                      "by itself has none; `gputest run --check {}` has it",
                      name, name));
  const model::LanguageRow& language = model::row_of(plan.settings.language);
  if (is_asked(plan, kSubGroupSizes) && language.warp)
    throw UsageError(fmt::format("--check {}: kernels in {} have warps of a known size, and no "
                                 "sub-groups; leave it out",
                                 kSubGroupSizes, language.name));
  try {
    plan.own = CheckPlan{
        plan.analysis.whole("interleavings"),
        model::Suppressions({plan.source.parent_path()}, model::suppressions_file(plan.analysis))};
  } catch (const model::FormatError& error) {
    throw UsageError(error.what());
  }
  if (!options.compare)
    return;
  if (!plan.machine->stands_in)
    throw UsageError(fmt::format("--compare with --check runs the {0} beside a device: give "
                                 "--device {0} as well, or leave --check out",
                                 kind_that(plan.machines, &MachineKind::stands_in).name));
  if (is_asked(plan, kInterleavings))
    throw UsageError("--compare runs a case in one order: leave out the check interleavings");
  if (is_asked(plan, kSubGroupSizes))
    throw UsageError("--compare runs a case once: leave out the check sub_group_sizes");
}

// Runs each case with the plan's checks in ascending order, and then once without checks in
// descending order, in which work-groups that wait for earlier ones wait forever. Prints findings
// as editors read them and writes check.json. Returns 1 where there are findings or a case crashes
// or times out, otherwise the exit code of other errors of cases.
int run_checks(const Plan& plan, const KernelDescription& /*description*/) {
  CheckSession session(plan);
  run_isolated({
      .cases = plan.cases.size(),
      .timeout = plan.timeout,
      .work = [&](const WorkerChannel& channel, std::size_t first) { work(plan, channel, first); },
      .on_info = [&](const Json& info) { session.on_info(info); },
      .on_done =
          [&](std::size_t index, const Json& message) {
            session.on_done(index, received<CheckMessage>(message));
          },
      .on_lost = [&](std::size_t index, Loss loss, const std::string& message,
                     double seconds) { session.on_lost(index, loss, message, seconds); },
  });
  return session.finish();
}

} // namespace

AnalysisRun check_analysis() {
  return {.name = "check", .prepare = prepare_checks, .run = run_checks, .simulates = true};
}

} // namespace gputest::runtime
