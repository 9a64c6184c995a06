// gputest run-cuda --mutation: the program runs once for each mutant of its device code and of its
// launches, and its exit code says whether it notices.
#include "model/mutation/mutation.h"
#include "driver/command_error.h"
#include "driver/cuda/records.h"
#include "driver/cuda/run.h"
#include "driver/report/mutation.h"
#include "model/clock.h"
#include "model/files.h"
#include "model/mutation/cuda_state.h"
#include "model/mutation/operators.h"
#include "model/mutation/progress.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <map>
#include <set>
#include <thread>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;
using model::KillReason;
using model::MutantResult;
using model::Verdict;

constexpr double kShortestLimit = 5;  // seconds
constexpr std::size_t kJobsOfGpu = 8; // processes that share one; more are no faster

// A mutant of a header is one, in however many sources it is. It is equivalent, or a duplicate of
// another, if it is so in all of them.
struct Switch {
  std::vector<std::string> active; // "<source>:<number>"
  std::vector<std::string> sources{};
  bool reached = false;
  std::size_t result = 0; // its place in the results
};

class MutationRun {
public:
  MutationRun(const CudaRun& run, const model::Settings& settings,
              const cxxopts::ParseResult& arguments)
      : run_(run), settings_(settings), records_(run.output / "mutation-records"),
        operators_(model::select_operators(settings.names("operators"))) {
    mutation_.name = mutation_.kernel = run.name;
    mutation_.device = run.device;
    mutation_.cases = {run.name};
    mutation_.operators = operators_;
    mutation_.threshold = mutation_threshold(arguments, settings);
    mutation_.repeat = 1;
    if (arguments.count("source-root") > 0)
      root_ = arguments["source-root"].as<std::string>();
  }

  // Empty: all is well.
  std::string run() {
    if (std::string problem = run_original(); !problem.empty())
      return problem;
    run_mutants();
    fs::remove_all(records_);
    return "";
  }

  const model::Mutation& mutation() const { return mutation_; }

private:
  // Twice: while it runs first, kernels are compiled.
  std::string run_original() {
    for (const bool first : {true, false}) {
      const program::ChildResult result =
          program::run_child(child_with(run_, "mutants", records_ / "original"));
      if (!result.succeeded())
        return fmt::format("{}: no mutant was run, because without one it failed: {}", run_.name,
                           result.text());
      (first ? first_seconds_ : seconds_) = result.seconds;
    }
    const std::vector<UnitRecord> units = read_records(records_ / "original", run_.tables);
    if (std::ranges::none_of(units, [](const UnitRecord& unit) { return unit.launches > 0; }))
      return nothing_recorded(run_, "MUTATION");
    for (const UnitRecord& unit : units) {
      if (!unit.lost.empty())
        return fmt::format("{}: no mutant was run, because the GPU has lost what the program "
                           "reaches: {}",
                           run_.name, unit.lost);
      add(unit);
    }
    for (const UnitRecord& unit : units)
      if (unit.state.size() > model::kCudaIterations)
        iterations_ = std::max(iterations_, unit.state[model::kCudaIterations]);
    forget_other_duplicates();
    mutation_.population = mutation_.results.size();
    if (!mutation_.results.empty())
      mutation_.source = mutation_.results.front().mutant.file;
    return "";
  }

  void add(const UnitRecord& unit) {
    const model::MutantTable table = model::read_mutant_table(unit.folder / "mutants.json");
    for (const model::NotInstrumented& entry : table.not_mutated)
      if (std::ranges::find(mutation_.not_mutated, entry) == mutation_.not_mutated.end())
        mutation_.not_mutated.push_back(entry);
    for (const model::Mutant& mutant : table.mutants) {
      const bool wanted = std::ranges::any_of(mutant.operators, [&](const std::string& name) {
        return std::ranges::find(operators_, name) != operators_.end();
      });
      if (!wanted)
        continue;
      const std::string key = mutant.file + "\n" + mutant.id;
      const auto [known, is_new] = switches_.try_emplace(key);
      known->second.sources.push_back(unit.folder.filename().string());
      known->second.active.push_back(
          fmt::format("{}:{}", known->second.sources.back(), mutant.number));
      const unsigned bit = mutant.site;
      const std::size_t word = model::kCudaReached + bit / 32;
      if (word < unit.state.size() && (unit.state[word] >> bit % 32 & 1) != 0)
        known->second.reached = true;
      if (is_new) {
        known->second.result = mutation_.results.size();
        mutation_.results.emplace_back().mutant = mutant;
        if (!mutation_.sources.contains(mutant.file))
          mutation_.sources[mutant.file] = model::read_text(root_ / mutant.file).value_or("");
      } else {
        model::Mutant& all = mutation_.results[known->second.result].mutant;
        all.equivalent = all.equivalent && mutant.equivalent;
        if (all.duplicate_of != mutant.duplicate_of)
          all.duplicate_of.clear();
      }
    }
  }

  // What a mutant is a duplicate of must run in its place, and change the same sources.
  void forget_other_duplicates() {
    std::map<std::string, std::vector<const Switch*>> by_id;
    for (const MutantResult& result : mutation_.results)
      by_id[result.mutant.id].push_back(&switch_of(result.mutant));
    for (MutantResult& result : mutation_.results) {
      const auto first = by_id.find(result.mutant.duplicate_of);
      if (first == by_id.end() || first->second.size() != 1 ||
          first->second.front()->sources != switch_of(result.mutant).sources)
        result.mutant.duplicate_of.clear();
    }
  }

  // Threads that wait for each other may wait longer another time.
  std::uint32_t budget() const {
    constexpr std::uint64_t kFactor = 10, kExtra = 1'000'000;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kFactor * iterations_ + kExtra, 0xfffffffe));
  }

  const Switch& switch_of(const model::Mutant& mutant) const {
    return switches_.at(mutant.file + "\n" + mutant.id);
  }

  void run_mutants() {
    std::deque<std::pair<std::size_t, unsigned>> queue; // and how often others ended it
    for (std::size_t i = 0; i < mutation_.results.size(); ++i) {
      MutantResult& result = mutation_.results[i];
      if (result.mutant.ignored) {
        result.verdict = Verdict::Ignored;
        result.detail = result.mutant.ignore_reason;
      } else if (result.mutant.equivalent) {
        result.verdict = Verdict::Equivalent;
        result.detail = result.mutant.proof;
      } else if (!result.mutant.duplicate_of.empty()) {
        result.verdict = Verdict::Duplicate;
        result.detail = "of " + result.mutant.duplicate_of;
      } else if (!switch_of(result.mutant).reached) {
        result.verdict = Verdict::NoCoverage;
      } else {
        result.reached_by = {run_.name};
        queue.emplace_back(i, 0);
      }
    }
    std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
    if (run_.device == "gpu")
      jobs = std::min(jobs, kJobsOfGpu);
    model::MutationProgress progress(run_.name, queue.size());
    const auto start = std::chrono::steady_clock::now();
    program::Children children;
    std::map<std::size_t, unsigned> tries;
    while (!queue.empty() || children.count() > 0) {
      while (!queue.empty() && children.count() < jobs) {
        const auto [index, before] = queue.front();
        queue.pop_front();
        tries[index] = before;
        begin(children, index);
      }
      const auto [index, result] = children.wait();
      const bool endless = used_budget(records_ / std::to_string(index));
      fs::remove_all(records_ / std::to_string(index));
      if (result.is_ended_by_others() && tries[index] + 1 < program::kChildTries) {
        queue.emplace_front(index, tries[index] + 1);
        continue;
      }
      judge(mutation_.results[index], result, endless);
      ++mutation_.executed;
      progress.add(mutation_.results[index].verdict, true);
    }
    mutation_.seconds = seconds_since(start);
  }

  void begin(program::Children& children, std::size_t index) const {
    const fs::path folder = records_ / std::to_string(index);
    program::ChildSettings child = child_with(run_, "mutants", folder);
    child.environment["GPUTEST_CUDA_MUTANT"] =
        fmt::format("{}", fmt::join(switch_of(mutation_.results[index].mutant).active, " "));
    child.environment["GPUTEST_CUDA_BUDGET"] = std::to_string(budget());
    child.output = folder / "output";
    child.timeout =
        std::max(kShortestLimit, settings_.real("timeout-factor") * seconds_) + first_seconds_;
    children.start(index, child);
  }

  bool used_budget(const fs::path& records) const {
    return std::ranges::any_of(read_records(records, run_.tables), [](const UnitRecord& unit) {
      return unit.state.size() > model::kCudaEvents &&
             (unit.state[model::kCudaEvents] & model::kCudaBudgetEvent) != 0;
    });
  }

  void judge(MutantResult& one, const program::ChildResult& result, bool endless) const {
    one.runs = 1;
    one.seconds = result.seconds;
    one.detail = result.text();
    if (endless) {
      one.verdict = Verdict::Timeout;
      one.detail =
          fmt::format("a loop had not ended after {} iterations; without the mutant {} are "
                      "the most",
                      budget(), iterations_);
    } else if (result.timed_out) {
      one.verdict = Verdict::Timeout;
    } else if (result.is_ended_by_others()) {
      one.verdict = Verdict::Undecided;
      one.detail += ", several times in a row, by somebody else or for want of memory";
    } else if (result.signal != 0 || result.exit_code != 0) {
      one.verdict = Verdict::Killed;
      one.reason = result.signal != 0 ? KillReason::Crash : KillReason::ProgramFailed;
    } else {
      one.verdict = Verdict::Survived;
      one.detail = "the program does not notice";
    }
    if (one.verdict == Verdict::Killed || one.verdict == Verdict::Timeout)
      one.killed_by = {run_.name};
  }

  const CudaRun& run_;
  const model::Settings& settings_;
  fs::path records_, root_ = fs::current_path();
  std::vector<std::string> operators_;
  model::Mutation mutation_;
  std::map<std::string, Switch> switches_; // by file and id
  std::uint32_t iterations_ = 0; // the most of one execution of a function, without a mutant
  double first_seconds_ = 0, seconds_ = 0;
};

} // namespace

void check_cuda_mutation(const model::Settings& settings, const cxxopts::ParseResult& arguments) {
  try {
    model::select_operators(settings.names("operators"));
  } catch (const std::invalid_argument& error) {
    throw CommandError(fmt::format("error: OPERATORS: {}", error.what()));
  }
  mutation_threshold(arguments, settings);
  if (settings.given("sample"))
    throw CommandError("error: SAMPLE is for OpenCL: leave it out");
}

int run_cuda_mutation(const CudaRun& run, const model::Settings& settings,
                      const cxxopts::ParseResult& arguments) {
  const fs::path file = run.output / "mutation.json";
  fs::remove(file);
  MutationRun mutants(run, settings, arguments);
  if (const std::string problem = mutants.run(); !problem.empty()) {
    fmt::print(stderr, "error: {}\n", problem);
    return Failed;
  }
  model::write_mutation(mutants.mutation(), file);
  Outputs outputs(arguments);
  return report_mutation(arguments, settings, {file}, outputs);
}

} // namespace gputest::driver
