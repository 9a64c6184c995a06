// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/mutation.h"

#include "model/files.h"
#include "model/mutation/cuda_state.h"
#include "process/undisturbed.h"
#include "program/cuda/findings.h"
#include "program/cuda/forks.h"
#include "program/cuda/mutants.h"
#include "program/cuda/reads.h"
#include "program/cuda/records.h"
#include "program/cuda/store_key.h"
#include "runtime/variants/mutation_state.h"
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using model::MutantResult;
using model::Verdict;

// Files among a mutant's records.
constexpr const char* kLost = "simulator-lost";
constexpr const char* kFindings = "findings.jsonl";

class CudaMutation : public MutatedProgram {
public:
  CudaMutation(const CudaRun& run, const CudaMutationSettings& settings)
      : run_(run), settings_(settings), records_(folder_of_mutants(run.output)),
        mutants_(settings.root, settings.wanted), reads_(run.oracle.tolerance),
        input_from_(repeatable_input()) {
    mutation_.name = mutation_.kernel = run.name;
    mutation_.device = run.device;
    mutation_.cases = {run.name};
    mutation_.operators = settings.wanted.operators;
    mutation_.threshold = settings.threshold;
    mutation_.repeat = 1;
    mutation_.since = settings.wanted.since;
    mutation_.functions = settings.wanted.functions;
    mutation_.files = settings.wanted.files;
  }

  std::optional<std::vector<model::Mutation>> measure(ProgramOracle& oracle) override {
    run_original(oracle);
    oracle_ = &oracle;
    find_mutants();
    for (MutantResult& result : mutation_.results) {
      if (result.mutant.ignored) {
        result.verdict = Verdict::Ignored;
        result.detail = result.mutant.ignore_reason;
      } else if (CudaMutants::decide(result)) {
        continue;
      } else if (!mutants_.switch_of(result.mutant).reached) {
        result.verdict = Verdict::NoCoverage;
      } else {
        result.reached_by = {run_.name};
      }
    }
    return std::vector{std::move(mutation_)};
  }

  std::string key_of(std::size_t /*source*/) const override {
    return store_key(run_, records_ / "original", settings_.timeout_factor);
  }
  std::string case_of(const MutantResult& result) const override {
    return store::content_hash(result.mutant.file);
  }

  // Orders of blocks, in the simulator.
  std::vector<unsigned> orders() override {
    constexpr unsigned kOrders = 4; // as for kernels
    std::vector<unsigned> orders;
    for (unsigned order = 1; run_.device == "simulator" && order <= kOrders; ++order) {
      const fs::path folder = records_ / "ordered";
      const ChildResult result =
          process::run_undisturbed(run_.name, run_.output / "simulator-lost",
                                   [&] { return in_order(child_of("", folder), order); });
      if (!result.timed_out && !used_budget(folder) &&
          !oracle_->noticed(result, model::read_text(folder / "output").value_or("")) &&
          reads_.difference(read_cuda_reads(folder, keeps_values())).empty())
        orders.push_back(order);
    }
    return orders;
  }
  std::string ordered() const override { return "blocks"; }

  ChildSettings child(const MutantTrial& trial, const fs::path& folder) override {
    return in_order(child_of(active(trial), folder), trial.order);
  }

  std::string disturbance(const ChildResult& result, const fs::path& folder) const override {
    return process::disturbance(result, folder / kLost);
  }

  TrialOutcome judge(const MutantTrial& /*trial*/, const ChildResult& result,
                     const fs::path& folder) override {
    return judged({.result = result,
                   .endless = used_budget(folder),
                   .output = model::read_text(folder / "output").value_or(""),
                   .difference = reads_.difference(read_cuda_reads(folder, keeps_values())),
                   .disturbance = process::disturbance(result, folder / kLost)});
  }

  // In forks. Those that need a process of their own are left.
  std::deque<MutantTrial> run_faster(std::deque<MutantTrial> trials, const Done& done,
                                     const TimeLimit& limit) override {
    std::deque<ForkRun> runs;
    for (std::size_t i = 0; i < trials.size(); ++i)
      runs.push_back(
          {.number = i, .mutant = active(trials[i]), .budget = budget(), .timeout = timeout()});
    std::string why;
    std::size_t ended = 0;
    const auto of_fork = [&](const ForkRun& run, const ForkOutcome& outcome) {
      ++ended;
      done(trials[run.number],
           judged({.result = outcome.result,
                   .endless = outcome.is_endless,
                   .output = outcome.output,
                   .difference = outcome.difference,
                   .disturbance =
                       outcome.result.by_others() ? outcome.result.text() : std::string()}));
    };
    std::deque<MutantTrial> left;
    for (const ForkRun& run : run_in_forks(run_, way_of_forks(), records_, std::move(runs),
                                           *oracle_, limit, of_fork, why))
      left.push_back(trials[run.number]);
    if (!why.empty() && ended == 0 && !run_.quiet)
      fmt::print(stderr, "{}: a process of its own for each mutant: {}\n", run_.name, why);
    return left;
  }

  // Compares survivors that have not been compared.
  void finish(std::vector<model::Mutation>& sources) override {
    mutants_.compare_survivors(sources.front(), run_.passes, records_ / "compared");
  }

  bool checks_races() const override {
    return run_.device == "simulator" && settings_.checks_races;
  }
  ChildSettings child_for_races(const MutantTrial* trial, const fs::path& folder) override {
    ChildSettings child = child_of(trial ? active(*trial) : "", folder); // which empties the folder
    child.environment["GPUTEST_CUDA_CHECKS"] = "races";
    child.environment["GPUTEST_CUDA_FINDINGS"] = (folder / kFindings).string();
    child.timeout *= kSlowerUnderCheck;
    return child;
  }
  std::vector<model::Finding> findings_in(const fs::path& folder) const override {
    return read_cuda_findings(folder / kFindings).findings;
  }

  std::string faster_way() const override { return "they ran in forks of one process"; }
  std::size_t reads() const override { return reads_.hashes().count(); }
  std::size_t varying() const override { return reads_.hashes().varying(); }

private:
  ForkWay way_of_forks() const {
    constexpr std::size_t kLeast = 4; // the original runs once more
    ForkWay way{
        .variable = "GPUTEST_CUDA_SIMULATOR_FORKS", .programs = settings_.jobs, .least = kLeast};
    if (run_.device == "gpu")
      way = forks_of_gpu();
    way.child = original(records_ / "forks");
    way.look = [this](ForkOutcome& outcome, const fs::path& folder) {
      outcome.is_endless = outcome.is_endless || used_budget(folder);
      outcome.difference = reads_.difference(read_cuda_reads(folder, keeps_values()));
    };
    return way;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw RunRefused(fmt::format("{}: no mutant was run, because {}", run_.name, why));
  }

  // Runs the original at least twice, because kernels are compiled during the first run.
  void run_original(ProgramOracle& oracle) {
    const fs::path folder = records_ / "original";
    for (unsigned i = 0; i < oracle.baseline(settings_.baseline); ++i) {
      const ChildResult result = process::run_undisturbed(run_.name, run_.output / "simulator-lost",
                                                          [&] { return original(folder); });
      const std::string output = model::read_text(folder / "output").value_or("");
      if (const std::string problem = oracle.add_original(result, output); !problem.empty()) {
        fmt::print("{}", output);
        refuse("without a mutant " + clause_of(problem, result));
      }
      reads_.add(read_cuda_reads(folder, keeps_values()));
      (i == 0 ? first_seconds_ : seconds_) = result.seconds;
    }
    if (const std::string problem = oracle.problem(); !problem.empty())
      refuse("without a mutant " + problem);
    if (run_.oracle.reads && reads_.hashes().count() == 0)
      refuse("without a mutant it reads nothing back that ORACLE READS could compare");
  }

  void find_mutants() {
    const std::vector<UnitRecord> units = read_records(records_ / "original", run_.tables);
    if (std::ranges::none_of(units, [](const UnitRecord& unit) { return unit.launches > 0; }))
      throw RunRefused(nothing_recorded(run_, "MUTATION"));
    for (const UnitRecord& unit : units) {
      if (!unit.lost.empty())
        refuse("the GPU has lost what the program reaches: " + unit.lost);
      mutants_.add(unit, mutation_);
      if (unit.state.size() > model::kCudaIterations)
        iterations_ = std::max(iterations_, unit.state[model::kCudaIterations]);
    }
    mutants_.expect_matches(run_.name);
    mutants_.draw(mutation_);
    // After the selection, so that duplicates of mutants that are left out run.
    mutants_.mark(mutation_, [](const MutantResult&) { return true; });
    mutants_.keep_shard(mutation_);
    if (!mutation_.results.empty())
      mutation_.source = mutation_.results.front().mutant.file;
  }

  // Returns the budget of loops. Threads that wait for each other may wait longer another time.
  std::uint32_t budget() const {
    constexpr std::uint64_t kFactor = 10, kExtra = 1'000'000;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kFactor * iterations_ + kExtra, 0xfffffffe));
  }

  double timeout() const {
    return std::max(runtime::kShortestLimit, settings_.timeout_factor * seconds_) + first_seconds_;
  }

  bool keeps_values() const { return run_.oracle.reads && run_.oracle.tolerance > 0; }

  std::string active(const MutantTrial& trial) const {
    return mutants_.switch_of(trial.result->mutant).active();
  }

  ChildSettings original(const fs::path& folder) const {
    ChildSettings child = child_with(run_, "mutants", folder);
    if (run_.device == "simulator")
      child.environment[kCudaReads] = cuda_reads_wanted(keeps_values());
    else if (run_.oracle.reads)
      child.environment[kGpuReads] = cuda_reads_wanted(keeps_values());
    child.output = folder / "output";
    child.input_from = input_from_;
    return child;
  }

  ChildSettings child_of(const std::string& mutant, const fs::path& folder) const {
    ChildSettings child = original(folder);
    child.environment["GPUTEST_CUDA_MUTANT"] = mutant;
    child.environment["GPUTEST_CUDA_BUDGET"] = std::to_string(budget());
    process::watch_simulator(child, folder / kLost);
    child.timeout = timeout();
    return child;
  }

  // Lets each launch run its blocks in this order. 0: as launched.
  static ChildSettings in_order(ChildSettings child, unsigned order) {
    if (order != 0)
      child.environment["GPUTEST_CUDA_SCHEDULES"] = fmt::format(
          "1 {} {} 0", order,
          runtime::order_of(order).kind == model::Order::Kind::Reverse ? "only-reverse"
                                                                       : "only-permute");
    return child;
  }

  bool used_budget(const fs::path& records) const {
    return std::ranges::any_of(read_records(records, run_.tables), [](const UnitRecord& unit) {
      return unit.state.size() > model::kCudaEvents &&
             (unit.state[model::kCudaEvents] & model::kCudaBudgetEvent) != 0;
    });
  }

  struct Ended {
    ChildResult result;
    bool endless = false;
    std::string output{};      // what it printed
    std::string difference{};  // how what it read back differs; empty: it does not
    std::string disturbance{}; // how others have ended it; empty: they have not
  };

  TrialOutcome judged(const Ended& ended) const {
    const ChildResult& result = ended.result;
    TrialOutcome outcome{.seconds = result.seconds};
    if (ended.endless) {
      outcome.verdict = {Verdict::Timeout, std::nullopt,
                         fmt::format("a loop had not ended after {} iterations; without the mutant "
                                     "{} are the most",
                                     budget(), iterations_)};
    } else if (result.timed_out) {
      outcome.verdict = {Verdict::Timeout, std::nullopt, result.text()};
    } else if (!ended.disturbance.empty()) {
      outcome.is_known = false;
      outcome.verdict = {Verdict::Undecided, std::nullopt,
                         ended.disturbance + ", several times in a row, by somebody else or for "
                                             "want of memory"};
    } else {
      outcome.verdict = oracle_->judge(result, ended.output, ended.difference);
      if (outcome.verdict.detail.empty())
        outcome.verdict.detail = "the program does not notice";
    }
    return outcome;
  }

  const CudaRun& run_;
  const CudaMutationSettings& settings_;
  fs::path records_;
  model::Mutation mutation_; // until measure() returns it
  CudaMutants mutants_;
  const ProgramOracle* oracle_ = nullptr; // knows the original
  CudaReadBaseline reads_;
  std::optional<std::int64_t> input_from_;
  // The most iterations in one execution of a function, without a mutant.
  std::uint32_t iterations_ = 0;
  double first_seconds_ = 0, seconds_ = 0;
};

} // namespace

std::unique_ptr<MutatedProgram> cuda_mutants(const CudaRun& run,
                                             const CudaMutationSettings& settings) {
  return std::make_unique<CudaMutation>(run, settings);
}

} // namespace gputest::program
