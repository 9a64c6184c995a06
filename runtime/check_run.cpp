#include "runtime/check_run.h"

#include "gputest/error.h"
#include "model/files.h"
#include "runtime/simulator_machine.h"
#include "runtime/simulator_process.h"
#include "runtime/worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace gputest::runtime {
namespace {

// What waits for an earlier work-group does not end in descending order.
void find_waits(BuiltKernel& kernel, BoundCase test_case, double limit,
                std::vector<SimulatorFinding>& findings) {
  Bytes state;
  const LaunchOutcome outcome = kernel.launch(test_case.launch, test_case.arguments, state);
  for (SimulatorFinding finding : outcome.findings) {
    if (finding.kind == "endless") {
      finding.kind = "inter_group_dependency";
      finding.message = fmt::format(
          "with work-groups in descending order the kernel does not end within {:.3g} s: this one "
          "waits for a work-group that has not run, and OpenCL does not promise that it ever will",
          limit);
    }
    findings.push_back(std::move(finding));
  }
}

void work(const Plan& plan, const WorkerChannel& channel, std::size_t first) {
  const std::filesystem::path program = find_simulator(plan.simulator);
  Simulation checked = plan.simulation, reverse = plan.simulation;
  checked.limit = plan.timeout;
  reverse.checks.clear();
  reverse.groups = "descending";
  SimulatorMachine machine(program, checked), reverse_machine(program, reverse);
  channel.info({{"device", machine.name()}});
  const Subject subject = original_subject(plan);
  const auto kernel = machine.build(subject.text, subject.settings, subject.kernel, subject.source);
  std::unique_ptr<BuiltKernel> reverse_kernel;
  for (std::size_t i = first; i < plan.cases.size(); ++i) {
    const BoundCase test_case = bind_case(plan.cases[i], plan.interface, plan.defaults);
    channel.start(i, plan.timeout * 2 + 60); // the simulator ends a launch by itself before
    channel.phase(fmt::format("kernel '{}'", plan.kernel));
    std::vector<SimulatorFinding> findings;
    Json reply{{"verdict", "passed"}, {"exit", 0}, {"message", ""}, {"seconds", 0.0}};
    try {
      BoundCase launched = test_case;
      Bytes state;
      const LaunchOutcome outcome = kernel->launch(launched.launch, launched.arguments, state);
      findings = outcome.findings;
      reply["seconds"] = outcome.seconds;
      const bool ended = std::ranges::none_of(
          findings, [](const SimulatorFinding& finding) { return finding.fatal; });
      if (ended && plan.simulation.groups == "ascending") {
        if (!reverse_kernel)
          reverse_kernel =
              reverse_machine.build(subject.text, subject.settings, subject.kernel, subject.source);
        const double limit = std::min(plan.timeout, 1 + 20 * outcome.seconds);
        reverse_machine.set_limit(limit);
        find_waits(*reverse_kernel, test_case, limit, findings);
      }
    } catch (const UsageError& error) {
      reply.update({{"verdict", "error"}, {"exit", 2}, {"message", error.what()}});
    } catch (const DeviceError& error) {
      reply.update({{"verdict", "error"}, {"exit", 3}, {"message", error.what()}});
    }
    reply["findings"] = Json::array();
    for (const SimulatorFinding& finding : findings)
      reply["findings"].push_back(to_json(finding));
    channel.done(i, reply);
  }
}

// Collects what workers say; of a pair of places one finding, that of the first case.
class CheckSession {
public:
  explicit CheckSession(const Plan& plan) : plan_(plan) {}

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
    if (verdict != "passed")
      fmt::print("  {}\n", message.at("message").get<std::string>());
    for (const Json& json : message.at("findings"))
      add(finding_from_json(json), name);
    std::fflush(stdout);
  }

  void on_lost(std::size_t index, const std::string& verdict, const std::string& message,
               double seconds) {
    const std::string& name = plan_.cases[index].name;
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
                                                         {"device", "simulator"},
                                                         {"source", plan_.source.string()},
                                                         {"checks", plan_.simulation.checks},
                                                         {"cases", cases_},
                                                         {"findings", findings_}}));
    fmt::print("{}: {} {} in {} {}; checked: {}\n", plan_.name, findings_.size(),
               findings_.size() == 1 ? "finding" : "findings", cases_.size(),
               cases_.size() == 1 ? "case" : "cases", fmt::join(plan_.simulation.checks, ", "));
    return !findings_.empty() || lost_ ? 1 : exit_code_;
  }

private:
  void add(const SimulatorFinding& finding, const std::string& test_case) {
    const auto key =
        std::tuple(finding.kind, std::minmax(std::tuple(finding.file, finding.line),
                                             std::tuple(finding.other_file, finding.other_line)));
    const std::string text = text_of(finding);
    const auto [known, is_new] = known_.try_emplace(
        fmt::format("{} {}:{} {}:{}", std::get<0>(key), std::get<0>(std::get<1>(key).first),
                    std::get<1>(std::get<1>(key).first), std::get<0>(std::get<1>(key).second),
                    std::get<1>(std::get<1>(key).second)),
        findings_.size());
    if (!is_new) {
      findings_[known->second]["count"] =
          findings_[known->second]["count"].get<std::uint64_t>() + finding.count;
      return;
    }
    Json json = to_json(finding);
    json["case"] = test_case;
    findings_.push_back(json);
    fmt::print("{}\n", text);
  }

  const Plan& plan_;
  Json cases_ = Json::array(), findings_ = Json::array();
  std::map<std::string, std::size_t> known_;
  int exit_code_ = 0;
  bool lost_ = false;
};

} // namespace

int run_checks(const Plan& plan) {
  CheckSession session(plan);
  run_isolated({
      .cases = plan.cases.size(),
      .timeout = plan.timeout,
      .work = [&](const WorkerChannel& channel, std::size_t first) { work(plan, channel, first); },
      .on_info = [](const Json&) {},
      .on_done = [&](std::size_t index, const Json& message) { session.on_done(index, message); },
      .on_lost = [&](std::size_t index, const std::string& verdict, const std::string& message,
                     double seconds) { session.on_lost(index, verdict, message, seconds); },
  });
  return session.finish();
}

} // namespace gputest::runtime
