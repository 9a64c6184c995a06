#include "runtime/analyses/check/run.h"

#include "gputest/error.h"
#include "model/files.h"
#include "runtime/analyses/check/interleavings.h"
#include "runtime/analyses/schedules/file.h"
#include "runtime/machine/checked_launch.h"
#include "runtime/machine/finding_groups.h"
#include "runtime/process/worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gputest::runtime {
namespace {

// Those have interleavings without end.
bool waits_between_groups(const std::vector<SimulatorFinding>& findings) {
  return std::ranges::any_of(findings, [](const SimulatorFinding& finding) {
    return finding.kind == "inter_group_dependency";
  });
}

// All that checks of one case need.
class CheckedKernel {
public:
  explicit CheckedKernel(const Plan& plan)
      : plan_(plan), subject_(original_subject(plan)),
        explores_(std::ranges::count(plan.simulation.checks, kInterleavings) != 0),
        machine_(plan.open_machine(&MachineKind::checks, checked(plan))),
        kernel_(
            machine_->build(subject_.text, subject_.settings, subject_.kernel, subject_.source)) {}

  std::string device() const { return machine_->name(); }
  double limit() const { return plan_.timeout * (explores_ ? 4 : 2) + 60; } // each ends by itself

  Json run(const BoundCase& test_case) {
    std::vector<SimulatorFinding> findings;
    Json reply{{"verdict", "passed"}, {"exit", 0}, {"message", ""}, {"seconds", 0.0}};
    const auto failed = [&](const char* verdict, int exit_code, const std::string& message) {
      reply.update({{"verdict", verdict}, {"exit", exit_code}, {"message", message}});
    };
    try {
      if (!machine_->simulation()->checks.empty())
        reply["seconds"] = check(test_case, findings);
      if (explores_ && ended_well(findings) && !waits_between_groups(findings)) {
        const InterleavedCase explored =
            explore_case(*machine_, *kernel_, plan_.kernel, test_case,
                         {.interleavings = std::any_cast<CheckPlan>(plan_.own).interleavings,
                          .seconds = plan_.timeout});
        findings.insert(findings.end(), explored.findings.begin(), explored.findings.end());
        reply["seconds"] = reply["seconds"].get<double>() + explored.seconds;
        reply["message"] = explored.message;
        if (!explored.proved)
          failed("not proved", 1, explored.message);
      }
    } catch (const BuildError& error) {
      failed("error", 1, error.what());
    } catch (const UsageError& error) {
      failed("error", 2, error.what());
    } catch (const DeviceError& error) {
      failed("error", 3, error.what());
    }
    reply["findings"] = Json::array();
    for (const SimulatorFinding& finding : findings)
      reply["findings"].push_back(to_json(finding));
    return reply;
  }

private:
  static Simulation checked(const Plan& plan) {
    Simulation simulation = plan.simulation;
    simulation.limit = plan.timeout;
    std::erase(simulation.checks, kInterleavings);
    return simulation;
  }

  // Returns the seconds of the kernel.
  double check(const BoundCase& test_case, std::vector<SimulatorFinding>& findings) {
    BoundCase launched = test_case;
    const LaunchOutcome outcome =
        checked_launch(*machine_, *kernel_, launched.launch, launched.arguments);
    findings = outcome.findings;
    return outcome.seconds;
  }

  const Plan& plan_;
  Subject subject_;
  bool explores_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<BuiltKernel> kernel_;
};

void work(const Plan& plan, const WorkerChannel& channel, std::size_t first) {
  CheckedKernel kernel(plan);
  channel.info({{"device", kernel.device()}});
  for (std::size_t i = first; i < plan.cases.size(); ++i) {
    Json result;
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

// Collects what workers say; of a pair of places one finding, that of the first case.
class CheckSession {
public:
  explicit CheckSession(const Plan& plan) : plan_(plan), folder_(plan.result.parent_path()) {
    // What an earlier run left must not pass for a finding of this one.
    std::error_code ignored;
    std::filesystem::remove_all(folder_ / "check", ignored);
  }

  void on_info(const Json& info) { info.at("device").get_to(device_); }

  void on_done(std::size_t index, const Json& message) {
    const std::string& name = plan_.cases[index].name;
    const auto verdict = message.at("verdict").get<std::string>();
    exit_code_ = std::max(exit_code_, message.at("exit").get<int>());
    cases_.push_back({{"name", name},
                      {"verdict", verdict},
                      {"message", message.at("message")},
                      {"seconds", message.at("seconds")},
                      {"findings", message.at("findings").size()}});
    fmt::print("checked: {} ({:.3f} s)\n", name, message.at("seconds").get<double>());
    if (const auto text = message.at("message").get<std::string>(); !text.empty())
      fmt::print("  {}\n", text);
    for (const Json& json : message.at("findings"))
      add(finding_from_json(json), name);
    std::fflush(stdout);
  }

  void on_lost(std::size_t index, const std::string& verdict, const std::string& message,
               double seconds) {
    const std::string& name = plan_.cases[index].name;
    if (verdict == "error")
      exit_code_ = 3; // nothing is known of the kernel
    else
      lost_ = true;
    cases_.push_back({{"name", name},
                      {"verdict", verdict},
                      {"message", message},
                      {"seconds", seconds},
                      {"findings", 0}});
    fmt::print("{}: {} ({:.3f} s)\n  {}\n", verdict, name, seconds, message);
  }

  int finish() const {
    model::write_atomically(plan_.result, model::pretty({{"format", "gputest-check-1"},
                                                         {"name", plan_.name},
                                                         {"kernel", plan_.kernel},
                                                         {"device", device_},
                                                         {"source", plan_.source.string()},
                                                         {"checks", plan_.simulation.checks},
                                                         {"cases", cases_},
                                                         {"findings", findings_}}));
    for (const std::string& note : groups_.notes())
      fmt::print("{}\n", note);
    fmt::print("{}: {} {} in {} {}; checked: {}\n", plan_.name, findings_.size(),
               findings_.size() == 1 ? "finding" : "findings", cases_.size(),
               cases_.size() == 1 ? "case" : "cases", fmt::join(plan_.simulation.checks, ", "));
    return !findings_.empty() || lost_ ? 1 : exit_code_;
  }

private:
  void add(const SimulatorFinding& finding, const std::string& test_case) {
    const std::string text = text_of(finding);
    const auto [known, is_new] = known_.try_emplace(pair_of(finding), findings_.size());
    if (!is_new) {
      findings_[known->second]["count"] =
          findings_[known->second]["count"].get<std::uint64_t>() + finding.count;
      return;
    }
    Json json = to_json(finding);
    json["case"] = test_case;
    if (groups_.leads(finding))
      fmt::print("{}\n", text);
    if (finding.schedule) {
      const std::string file = fmt::format("check/{}.json", findings_.size() + 1);
      keep_schedule(*finding.schedule, folder_ / file);
      json["schedule"] = file;
      fmt::print("  replay: gputest replay {}\n", (folder_ / file).string());
    }
    findings_.push_back(json);
  }

  const Plan& plan_;
  std::filesystem::path folder_;
  std::string device_;
  Json cases_ = Json::array(), findings_ = Json::array();
  std::map<std::string, std::size_t> known_;
  FindingGroups groups_;
  int exit_code_ = 0;
  bool lost_ = false;
};

} // namespace

void prepare_checks(Plan& plan, const Options& options) {
  plan.simulation.checks = plan.analysis.flags();
  plan.own = CheckPlan{plan.analysis.whole("interleavings")};
  if (options.compare == 0)
    return;
  if (!plan.machine->stands_in)
    throw UsageError(fmt::format("--compare with --check runs the {0} beside a device: give "
                                 "--device {0} as well, or leave --check out",
                                 kind_that(plan.machines, &MachineKind::stands_in).name));
  if (std::ranges::count(plan.simulation.checks, kInterleavings) != 0)
    throw UsageError("--compare runs a case in one order: leave out the check interleavings");
}

int run_checks(const Plan& plan, const KernelDescription& /*description*/) {
  CheckSession session(plan);
  run_isolated({
      .cases = plan.cases.size(),
      .timeout = plan.timeout,
      .work = [&](const WorkerChannel& channel, std::size_t first) { work(plan, channel, first); },
      .on_info = [&](const Json& info) { session.on_info(info); },
      .on_done = [&](std::size_t index, const Json& message) { session.on_done(index, message); },
      .on_lost = [&](std::size_t index, const std::string& verdict, const std::string& message,
                     double seconds) { session.on_lost(index, verdict, message, seconds); },
  });
  return session.finish();
}

} // namespace gputest::runtime
