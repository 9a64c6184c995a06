// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/test/run.h"

#include "model/checks/notes.h"
#include "model/clock.h"
#include "model/files.h"
#include "runtime/analyses/coverage/original_twin.h"
#include "runtime/analyses/coverage/run.h"
#include "runtime/analyses/coverage/text.h"
#include "runtime/analyses/test/weak_case.h"
#include "runtime/analyses/third_judge.h"
#include "runtime/cases/argument_text.h"
#include "runtime/process/worker.h"
#include "runtime/variants/coverage_collector.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <unistd.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// ---- In the worker ----

// What a worker sends about a case.
struct CaseMessage {
  model::CaseVerdict verdict = model::CaseVerdict::Passed;
  std::string message{};
  double seconds = 0;
  int exit_code = 0;
  bool has_oracle = true;
  std::string details{};
  std::optional<std::string> coverage{}, divergence{}; // to_hex() of what was recorded
  std::vector<model::Finding> notes{};
};
constexpr auto fields_of(const CaseMessage*) {
  using T = CaseMessage;
  using model::field;
  return std::tuple{field("verdict", &T::verdict),
                    field("message", &T::message),
                    field("seconds", &T::seconds),
                    field("exit", &T::exit_code),
                    field("has_oracle", &T::has_oracle),
                    field("details", &T::details),
                    field("coverage", &T::coverage),
                    field("divergence", &T::divergence),
                    field("notes", &T::notes)};
}
using model::from_json, model::to_json;

CaseMessage message_of(const CaseResult& result, const std::string& details) {
  CaseMessage message{.verdict = result.verdict,
                      .message = result.message,
                      .seconds = result.seconds,
                      .exit_code = result.exit_code,
                      .has_oracle = result.has_oracle,
                      .details = details,
                      .notes = result.notes};
  if (result.recorded) {
    message.coverage = to_hex(result.recorded->coverage);
    message.divergence = to_hex(result.recorded->divergence);
  }
  return message;
}

// A difference makes the case an error, because the records are of another computation. It is a
// failure where the kernel or the device's translation of it is wrong.
void compare_with_original(OriginalTwin& twin, CaseRunner& runner, const BoundCase& initial,
                           const BoundCase& computed, CaseResult& result,
                           const std::function<Opinion()>& ask) {
  const OriginalTwin::Verdict verdict =
      twin.compare(initial, computed, [&](BoundCase& other) { runner.launch_alone(other); });
  const auto add = [&](const std::string& text) {
    result.message += (result.message.empty() ? "" : "\n") + text;
  };
  if (!verdict.varies.empty())
    add(verdict.varies);
  if (verdict.difference.empty())
    return;
  const Opinion opinion = ask();
  const bool is_finding = model::is_finding(opinion.guilty);
  result.verdict = is_finding ? model::CaseVerdict::Failed : model::CaseVerdict::Error;
  result.exit_code = is_finding ? 1 : 3;
  result.recorded.reset();
  const std::string wrong =
      fmt::format("the kernel computes something else with coverage than without, where {}",
                  verdict.difference);
  add(opinion.guilty != Guilty::Unknown
          ? model::blame_text(opinion, wrong,
                              {.name = fs::path(runner.subject().source).filename().string(),
                               .inactive = "",
                               .lost = "the case's coverage is not counted"})
          : fmt::format(
                "{}\nEach of the two leaves the same values every time. Does it use what nobody "
                "has written, or race? `--check` tells. If not, the device's compiler translates "
                "one of them wrongly, or GpuTestCheck instruments it wrongly: please report that. "
                "The case's coverage is not counted",
                wrong));
}

// All of this is the case's own time. Its memory is freed before it is done.
CaseMessage run_case(const Plan& plan, const WorkerChannel& channel, std::size_t index,
                     Machine& machine, CaseRunner& runner, OriginalTwin* twin) {
  const auto blame = [&](const std::string& doer) { channel.phase(doer); };
  channel.start(index);
  blame(kMakingArguments);
  BoundCase test_case = bind_case(plan.cases[index], plan.interface, plan.defaults);
  std::optional<BoundCase> before;
  if (plan.verbose || twin) {
    read_back_all(test_case); // not only what is compared
    before = test_case;
  }
  if (plan.verbose) // said before the launch, which may be the last thing this process does
    channel.info({{"text", fmt::format("case '{}'\n{}", test_case.name, text_before(test_case))}});
  if (twin) {
    blame(fmt::format("kernel '{}' without coverage", plan.kernel));
    twin->launch(test_case);
    channel.start(index); // the time of the instrumented kernel
  }
  CaseResult result = runner.run(test_case, blame);
  // After a divergent barrier outputs mean nothing.
  const bool diverges =
      result.recorded && std::ranges::any_of(result.recorded->divergence,
                                             [](std::uint32_t group) { return group != 0; });
  if (twin && result.launched && !diverges)
    compare_with_original(*twin, runner, before.value(), test_case, result, [&] {
      channel.pause();
      return third_judge({plan, index, machine}, runner.subject());
    });
  return message_of(result, plan.verbose && result.launched ? text_after(*before, test_case) : "");
}

// After its cases, a run has one more index for each case: the check whether it is weak. Launches
// with other values may end the process or break the device, so all verdicts come first.
std::size_t looks_of(const Plan& plan) {
  return coverage_plan(plan) || !plan.looks_for_weak ? 0 : plan.cases.size();
}

// The wall-clock times of the cases in this process.
struct Times {
  std::map<std::size_t, double> of; // by case: seconds; only cases that passed with an oracle
  double all = 0;
};

// Looks for weak cases. That takes about as long as the cases did, and no look takes much longer
// than its case.
void look(const Plan& plan, const WorkerChannel& channel, std::size_t first, CaseRunner& runner,
          Machine& machine, bool by_function, const Times& times) {
  constexpr double kLeast = 1; // seconds
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const std::size_t number = plan.cases.size() + i;
    const auto took = times.of.find(i);
    if (i >= first && took == times.of.end()) { // it has no oracle, or failed
      channel.done(number, Json::object());
      continue;
    }
    if (i < first || model::seconds_since(begin) > kLeast + times.all) {
      channel.done(number, {{"skipped", true}});
      continue;
    }
    const double limit = std::min(plan.timeout, kLeast + 10 * took->second);
    machine.limit_launches_within(limit);
    channel.start(number, limit);
    channel.phase(fmt::format("kernel '{}' with other values", plan.kernel));
    try {
      const BoundCase initial = bind_case(plan.cases[i], plan.interface, plan.defaults);
      channel.done(number, {{"weak", why_weak(runner, plan.interface, initial, by_function)}});
    } catch (const std::exception&) { // it passed before, and does not now, or memory is short
      channel.done(number, {{"skipped", true}});
    }
  }
}

void work(const Plan& plan, const KernelDescription& description, const WorkerChannel& channel,
          std::size_t first) {
  const std::size_t cases = plan.cases.size();
  if (first >= cases) { // a process that was lost after the last case; nobody waits for another
    for (std::size_t i = first; i < cases + looks_of(plan); ++i)
      channel.done(i, {{"skipped", true}});
    return;
  }
  Simulation simulation = plan.simulation;
  // The simulator then says where the kernel is, which a kill does not.
  simulation.limit = plan.timeout * kOfLimit;
  const std::unique_ptr<Machine> machine = plan.open_machine(std::move(simulation));
  Json info{{"device", machine->name()}};
  Subject subject;
  const bool covers = coverage_plan(plan) != nullptr;
  if (covers) {
    const fs::path folder = variant_folder(plan, *machine);
    info["folder"] = folder.string();
    subject = instrumented_subject(plan, folder);
  } else {
    subject = original_subject(plan);
  }
  std::optional<OriginalTwin> twin;
  if (covers)
    twin.emplace(*machine, original_subject(plan));
  const Oracles oracles = oracles_of(plan, description);
  CaseRunner runner(*machine, std::move(subject), oracles);
  if (plan.verbose)
    info["build_log"] = runner.build_log();
  channel.info(info);
  Times times;
  for (std::size_t i = first; i < cases; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    CaseMessage result;
    try {
      result = run_case(plan, channel, i, *machine, runner, twin ? &*twin : nullptr);
    } catch (const KernelFault& fault) {
      channel.lose(fault.what());
    }
    channel.done(i, Json(result));
    const double took = model::seconds_since(begin);
    times.all += took;
    if (result.verdict == model::CaseVerdict::Passed && result.has_oracle)
      times.of[i] = took;
  }
  if (looks_of(plan) > 0)
    look(plan, channel, first, runner, *machine, static_cast<bool>(oracles), times);
}

// ---- In the parent ----

// A file to which whole lines are added, each on disk before the next case starts.
class Log {
public:
  explicit Log(const fs::path& file) : file_(file) {
    std::error_code ignored; // opening tells
    fs::create_directories(file.parent_path(), ignored);
    descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      throw model::WriteError(file, {errno, std::generic_category()});
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() { ::close(descriptor_); }

  void add(const Json& json) const {
    const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    errno = 0;
    if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      throw model::WriteError(file_, {errno != 0 ? errno : ENOSPC, std::generic_category()});
  }

private:
  fs::path file_;
  int descriptor_ = -1;
};

Json to_json(const model::CaseRecord& record) {
  return {{"name", record.name},
          {"verdict", model::name_of(record.verdict)},
          {"message", record.message},
          {"seconds", record.seconds}};
}

// Collects what workers report.
class TestRun {
public:
  explicit TestRun(const Plan& plan)
      : plan_(plan), coverage_(coverage_plan(plan)), log_(plan.log()) {}

  void on_info(const Json& info) {
    if (info.contains("text")) {
      fmt::print("{}", info["text"].get<std::string>());
      return;
    }
    device_ = info.at("device").get<std::string>();
    if (coverage_ && !collector_) {
      const model::SiteTable table =
          model::read_site_table(fs::path(info.at("folder").get<std::string>()) / "sites.json");
      collector_.emplace(table, plan_.kernel);
      collector_->coverage().sources = table.sources;
    }
    if (info.contains("build_log"))
      fmt::print("device: {}\nbuild log: {}\n", device_, info["build_log"].get<std::string>());
  }

  void on_done(std::size_t index, const Json& message) {
    if (index >= plan_.cases.size())
      return on_look(plan_.cases[index - plan_.cases.size()].name, message);
    const auto done = received<CaseMessage>(message);
    model::CaseRecord record{plan_.cases[index].name, done.verdict, done.message, done.seconds, {}};
    if (done.coverage && done.divergence && collector_)
      record.reached =
          collector_->add({from_hex(*done.coverage), from_hex(*done.divergence)}, record.name);
    note(record, done.exit_code);
    notes_.print(done.notes);
    fmt::print("{}", done.details);
    if (!done.has_oracle && record.verdict == model::CaseVerdict::Passed) {
      without_oracle_.insert(record.name);
      fmt::print(
          "  no oracle: nothing says what the outputs should be; add \"expected\" or REFERENCE\n");
    }
    if (plan_.cases[index].recorded && (record.verdict == model::CaseVerdict::Passed ||
                                        record.verdict == model::CaseVerdict::Failed))
      fmt::print("  expected outputs are recorded, not verified\n");
    std::fflush(stdout);
  }

  void on_lost(std::size_t index, Loss loss, const std::string& message, double seconds) {
    if (index >= plan_.cases.size()) {
      fmt::print("not known whether case '{}' is weak: {}\n",
                 plan_.cases[index - plan_.cases.size()].name, message);
      return;
    }
    const auto verdict =
        model::named<model::CaseVerdict>(name_of(loss)).value_or(model::CaseVerdict::Crashed);
    note({plan_.cases[index].name, verdict, message, seconds, {}},
         verdict == model::CaseVerdict::Error ? 3 : 1);
    std::fflush(stdout);
  }

  int finish() {
    if (coverage_)
      return finish_coverage();
    nlohmann::ordered_json cases = Json::array();
    for (const model::CaseRecord& record : records_) {
      cases.push_back(to_json(record));
      if (std::ranges::any_of(plan_.cases, [&](const TestCase& test_case) {
            return test_case.name == record.name && test_case.recorded;
          }))
        cases.back()["oracle"] = "recorded";
      else if (without_oracle_.contains(record.name))
        cases.back()["oracle"] = "none";
      if (const auto weak = weak_.find(record.name); weak != weak_.end())
        cases.back()["weak"] = weak->second;
    }
    if (not_looked_at_ > 0)
      fmt::print("not known of {} of {} cases whether they are weak\n", not_looked_at_,
                 plan_.cases.size());
    model::write_atomically(plan_.result, model::pretty({{"format", "gputest-test-1"},
                                                         {"name", plan_.name},
                                                         {"kernel", plan_.kernel},
                                                         {"device", device_},
                                                         {"source", plan_.source.string()},
                                                         {"cases", cases}}));
    const auto passed =
        std::ranges::count(records_, model::CaseVerdict::Passed, &model::CaseRecord::verdict);
    fmt::print("{}: {} of {} cases passed on {}\n", plan_.name, passed, records_.size(), device_);
    return exit_code();
  }

private:
  void on_look(const std::string& name, const Json& message) {
    not_looked_at_ += message.contains("skipped");
    const std::string weak = message.value("weak", "");
    if (weak.empty())
      return;
    weak_[name] = weak;
    fmt::print("weak: case '{}': {}\n", name, weak);
    std::fflush(stdout);
  }

  void note(const model::CaseRecord& record, int exit_code) {
    log_.add(to_json(record));
    fmt::print("{}: {} ({:.3f} s)\n", model::name_of(record.verdict), record.name, record.seconds);
    if (!record.message.empty())
      fmt::print("  {}\n", record.message);
    exit_codes_.push_back(exit_code);
    records_.push_back(record);
  }

  int exit_code() const {
    if (std::ranges::find(exit_codes_, 1) != exit_codes_.end())
      return 1; // a verdict on the kernel says more than a case that could not be run
    return exit_codes_.empty() ? 0 : *std::ranges::max_element(exit_codes_);
  }

  int finish_coverage() {
    model::Coverage& coverage = collector_.value().coverage();
    coverage.name = plan_.name;
    coverage.device = device_;
    coverage.cases = records_;
    coverage.thresholds = coverage_->thresholds;
    model::write_coverage(coverage, plan_.result);
    fmt::print("{}", coverage_text(coverage, coverage_->thresholds));
    if (std::ranges::find(exit_codes_, 3) != exit_codes_.end())
      return 3; // what is covered is not known
    if (!coverage.divergent_barriers.empty() ||
        !model::missed(model::tally(coverage), coverage_->thresholds).empty())
      return 1;
    return exit_code();
  }

  const Plan& plan_;
  const CoveragePlan* coverage_; // nullptr: only tests
  Log log_;
  std::string device_;
  std::optional<CoverageCollector> collector_;
  std::vector<model::CaseRecord> records_;
  std::vector<int> exit_codes_;
  model::Notes notes_;
  std::set<std::string> without_oracle_;    // names of cases
  std::map<std::string, std::string> weak_; // by name of the case: why
  std::size_t not_looked_at_ = 0;
};

} // namespace

int run_plan(const Plan& plan, const KernelDescription& description) {
  TestRun session(plan);
  run_isolated({
      .cases = plan.cases.size() + looks_of(plan),
      .timeout = plan.timeout,
      .work = [&](const WorkerChannel& channel,
                  std::size_t first) { work(plan, description, channel, first); },
      .on_info = [&](const Json& info) { session.on_info(info); },
      .on_done = [&](std::size_t index, const Json& message) { session.on_done(index, message); },
      .on_lost = [&](std::size_t index, Loss loss, const std::string& message,
                     double seconds) { session.on_lost(index, loss, message, seconds); },
  });
  return session.finish();
}

void print_devices(std::span<const MachineKind> kinds, const MachineRequest& request) {
  run_isolated({
      .work =
          [&](const WorkerChannel& channel, std::size_t) {
            std::string text;
            for (const MachineKind& kind : kinds)
              try {
                text += kind.list(request);
              } catch (const NoDevice&) {
                continue; // other kinds may have some
              }
            if (text.empty())
              throw NoDevice();
            channel.info(text);
          },
      .on_info = [](const Json& text) { fmt::print("{}", text.get<std::string>()); },
  });
}

AnalysisRun test_analysis() {
  return {.name = "test", .run = run_plan};
}

} // namespace gputest::runtime
