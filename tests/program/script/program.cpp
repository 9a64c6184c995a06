#include "tests/program/script/program.h"

#include "model/files.h"
#include "process/undisturbed.h"
#include "runtime/variants/mutation_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace gputest::tests {
namespace {

namespace fs = std::filesystem;
using namespace program;
using model::Verdict;

struct Records {
  std::map<std::string, std::uint64_t> launches; // by kernel
  std::set<unsigned> covered;
  std::vector<model::Finding> findings;
  std::vector<std::vector<std::uint64_t>> reads{{}};
};

Records records_in(const fs::path& file) {
  Records records;
  std::istringstream lines(model::read_text(file).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what, name;
    unsigned number = 0;
    words >> what;
    if (what == "launch" && words >> name)
      ++records.launches[name];
    else if (what == "covers" && words >> number)
      records.covered.insert(number);
    else if (what == "finding" && words >> name >> number)
      records.findings.push_back({.kind = name, .site = {"script", number, 1}, .message = "found"});
    else if (what == "read" && words >> number)
      records.reads[0].push_back(number);
  }
  return records;
}

bool is_script(const fs::path& file) {
  return model::read_text(file).value_or("").starts_with("#!/bin/sh\n# gputest\n");
}

// Returns the numbers of the lines that can be covered and changed: those that end in "# site".
std::vector<unsigned> lines_of(const fs::path& script) {
  std::istringstream text(model::read_text(script).value_or(""));
  std::vector<unsigned> numbers;
  unsigned number = 0;
  for (std::string line; ++number, std::getline(text, line);)
    if (line.ends_with("# site"))
      numbers.push_back(number);
  return numbers;
}

ChildSettings with(ChildSettings child, const std::string& variant,
                   const std::map<std::string, std::string>& more, const fs::path& output) {
  fs::create_directories(output.parent_path());
  child.environment["VARIANT"] = variant;
  child.environment.insert(more.begin(), more.end());
  child.output = output;
  return child;
}

class ScriptMutants : public MutatedProgram {
public:
  ScriptMutants(const ProgramTask& task, const MutationSettings& settings)
      : task_(task), settings_(settings) {}

  std::optional<std::vector<model::Mutation>> measure(ProgramOracle& oracle) override {
    oracle_ = &oracle;
    const fs::path output = task_.output / "original.txt";
    for (unsigned i = 0; i < oracle.baseline(settings_.baseline.value_or(2)); ++i) {
      const ChildResult result = run_child(with(task_.child, "mutants", {}, output));
      if (const std::string problem = oracle.add_original(result, ""); !problem.empty())
        throw PlainRunFailed(problem);
      reads_.add(records_in(output).reads);
    }
    model::Mutation mutation;
    mutation.name = task_.name;
    MutantFilter filter(settings_.wanted, task_.source_root);
    for (const unsigned line : lines_of(task_.executable)) {
      model::MutantResult result;
      result.mutant.id = std::to_string(line);
      result.mutant.operators = {"line"};
      result.mutant.line = line;
      result.mutant.synchronisation = true;
      if (filter.takes(result.mutant))
        mutation.results.push_back(result);
    }
    return std::vector{mutation};
  }
  std::string key_of(std::size_t /*source*/) const override {
    return model::read_text(task_.executable).value_or("");
  }
  std::string case_of(const model::MutantResult& /*result*/) const override { return "script"; }
  std::vector<unsigned> orders() override { return {1}; }
  ChildSettings child(const MutantTrial& trial, const fs::path& folder) override {
    return with(task_.child, "mutants",
                {{"MUTANT", trial.result->mutant.id}, {"ORDER", runtime::order_name(trial.order)}},
                folder / "output");
  }
  TrialOutcome judge(const MutantTrial& /*trial*/, const ChildResult& result,
                     const fs::path& folder) override {
    return {.verdict =
                oracle_->judge(result, "", reads_.difference(records_in(folder / "output").reads))};
  }

  bool checks_races() const override { return settings_.checks_races; }
  ChildSettings child_for_races(const MutantTrial* trial, const fs::path& folder) override {
    return with(task_.child, "check",
                {{"CHECKS", "races"}, {"MUTANT", trial ? trial->result->mutant.id : ""}},
                folder / "output");
  }
  std::vector<model::Finding> findings_in(const fs::path& folder) const override {
    return records_in(folder / "output").findings;
  }

private:
  const ProgramTask& task_;
  const MutationSettings& settings_;
  ReadBaseline reads_{"the script"};
  const ProgramOracle* oracle_ = nullptr;
};

class ScriptSchedules : public ScheduledProgram {
public:
  explicit ScriptSchedules(const ProgramTask& task) : task_(task) {}

  bool measure() override {
    launched_ = run_in(model::Schedule());
    reads_.add(launched_.reads);
    return true;
  }
  bool measure_again() override { return false; }
  std::map<std::string, ScheduledKernel> kernels() const override {
    std::map<std::string, ScheduledKernel> kernels;
    for (const auto& [name, launches] : launched_.launches)
      kernels["script." + name] = {name, "none", launches};
    return kernels;
  }
  std::string source_of(const std::string& /*label*/) const override { return "script"; }
  std::size_t reads() const override { return reads_.count(); }
  std::size_t varying() const override { return reads_.varying(); }
  std::uint64_t runs() const override { return runs_; }
  model::Schedule as_launched() const override {
    model::Schedule schedule;
    schedule.program = {.command = task_.child.command, .directory = "/"};
    return schedule;
  }
  std::vector<Shown> run_all(const std::vector<model::Schedule>& schedules,
                             std::uint32_t /*patience*/) override {
    std::vector<Shown> all;
    for (const model::Schedule& schedule : schedules) {
      const Records records = run_in(schedule);
      Shown& shown = all.emplace_back();
      shown.sizes = {model::Sizes()};
      shown.reads = records.reads;
      shown.text = reads_.difference(records.reads);
      shown.differs = !shown.text.empty();
    }
    return all;
  }
  ReadValues compare(const model::Schedule&, const std::set<std::size_t>&) override { return {}; }

private:
  Records run_in(const model::Schedule& schedule) {
    ++runs_;
    const fs::path output = task_.output / "ordered.txt";
    const bool is_ordered = schedule.program.has_value();
    run_child(
        with(task_.child, "schedules",
             {{"ORDER", is_ordered ? model::text_of(schedule) : ""},
              {"KERNELS",
               is_ordered ? fmt::format("{}", fmt::join(schedule.program->kernels, " ")) : ""}},
             output));
    return records_in(output);
  }

  const ProgramTask& task_;
  Records launched_;
  ReadBaseline reads_{"the script"};
  std::uint64_t runs_ = 0;
};

class ScriptProgram : public TestedProgram {
public:
  explicit ScriptProgram(ProgramTask given)
      : TestedProgram(std::move(given)), output_(task().output / "records.txt") {}

  ChildResult run_for_coverage(const ChildSettings& child, const CoverageSettings&) override {
    return run_child(with(child, "coverage", {}, output_));
  }
  ChildResult run_for_checks(const ChildSettings& child,
                             const std::vector<std::string>& checks) override {
    return run_child(
        with(child, "check", {{"CHECKS", fmt::format("{}", fmt::join(checks, " "))}}, output_));
  }
  std::unique_ptr<LaunchKeeper> launch_keeper() override {
    return nullptr; // no test keeps launches of scripts
  }
  ProgramCoverage read_coverage(const JudgedRun& run) override {
    const Records records = records_in(output_);
    ProgramCoverage coverage{.processes = 1};
    if (records.launches.empty())
      coverage.nothing = "it launched nothing";
    for (const auto& [name, launches] : records.launches) {
      KernelCoverage& kernel = coverage.kernels.emplace_back();
      kernel.folder = "script." + name;
      kernel.launches = launches;
      kernel.coverage.kernel = name;
      kernel.coverage.name = task().name;
      kernel.coverage.cases = {{task().name, run.verdict(), run.problem, 0}};
      for (const unsigned line : lines_of(task().executable)) {
        model::Site site;
        site.id = std::to_string(line);
        site.file = "script";
        site.line = line;
        site.outcomes = {{"executed", 0}};
        kernel.coverage.sites.push_back({site, {records.covered.contains(line) ? 1U : 0U}});
      }
    }
    return coverage;
  }
  ProgramChecks read_checks(const JudgedRun& /*run*/) override {
    Records records = records_in(output_);
    ProgramChecks checks;
    for (const auto& [name, launches] : records.launches)
      checks.launches.push_back({.folder = "script." + name,
                                 .kernel = name,
                                 .source = "script",
                                 .launches = launches,
                                 .findings = std::exchange(records.findings, {})});
    return checks;
  }
  std::unique_ptr<MutatedProgram> mutants(const MutationSettings& settings) override {
    return std::make_unique<ScriptMutants>(task(), settings);
  }
  std::unique_ptr<ScheduledProgram> schedules(const ScheduleSettings& /*settings*/) override {
    return std::make_unique<ScriptSchedules>(task());
  }

private:
  fs::path output_;
};

} // namespace

ProgramKind script_kind() {
  return {.name = "script",
          .title = "script",
          .recognises = is_script,
          .open = [](ProgramTask task, const GivenOptions&,
                     const model::Settings*) -> std::unique_ptr<TestedProgram> {
            return std::make_unique<ScriptProgram>(std::move(task));
          }};
}

} // namespace gputest::tests
