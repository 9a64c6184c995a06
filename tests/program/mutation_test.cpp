// The engine of mutation testing, with a made-up kind of program: a shell script to which a
// variable tells the mutant and the order.
#include "program/mutation.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <fstream>
#include <iterator>
#include <map>

using namespace gputest;
using namespace gputest::program;
using model::Verdict;

namespace {

class ScriptMutants : public MutatedProgram {
public:
  explicit ScriptMutants(std::string script) : script_(std::move(script)) {}

  std::optional<std::vector<model::Mutation>> measure(ProgramOracle& oracle) override {
    oracle_ = &oracle;
    if (const std::string problem = oracle.add_original({}, "PASSED\n"); !problem.empty())
      throw PlainRunFailed(problem);
    model::Mutation mutation;
    mutation.name = "script";
    for (const char* id : {"fails", "says", "sleeps", "dies", "waits", "same"}) {
      model::MutantResult& result = mutation.results.emplace_back();
      result.mutant.id = id;
      result.mutant.synchronisation = result.mutant.id == "waits";
    }
    mutation.results.back().verdict = Verdict::NoCoverage;
    return std::vector{mutation};
  }
  std::string key_of(std::size_t /*source*/) const override { return script_; }
  std::string case_of(const model::MutantResult& /*result*/) const override { return "case"; }
  std::vector<unsigned> orders() override { return {1, 3}; }

  ChildSettings child(const MutantTrial& trial, const std::filesystem::path& folder) override {
    std::filesystem::create_directories(folder);
    ++runs;
    return {.command = {"sh", "-c", script_},
            .environment = {{"MUTANT", trial.result->mutant.id},
                            {"ORDER", std::to_string(trial.order)}},
            .timeout = 0.5,
            .output = folder / "output"};
  }
  TrialOutcome judge(const MutantTrial& /*trial*/, const ChildResult& result,
                     const std::filesystem::path& folder) override {
    if (result.timed_out)
      return {.verdict = {Verdict::Timeout}};
    if (result.by_others())
      return {.verdict = {Verdict::Undecided}, .is_known = false};
    return {.verdict = oracle_->judge(
                result,
                std::filesystem::exists(folder / "output") ? text_of(folder / "output") : "", "")};
  }
  std::deque<MutantTrial> run_faster(std::deque<MutantTrial> trials, const Done& done) override {
    if (!is_fast)
      return trials;
    for (const MutantTrial& trial : trials)
      done(trial, {.verdict = {Verdict::Survived, std::nullopt, "fast"}});
    return {};
  }

  unsigned runs = 0;
  bool is_fast = false;

private:
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string script_;
  const ProgramOracle* oracle_ = nullptr;
};

const char* const kScript = "case $MUTANT$ORDER in fails0) exit 1;; says0) echo FAILED; exit 0;; "
                            "sleeps0) sleep 5;; dies0) kill -KILL $$;; waits3) exit 2;; esac; "
                            "echo PASSED";

std::map<std::string, Verdict> verdicts(const MutatedRuns& runs) {
  std::map<std::string, Verdict> all;
  for (const model::MutantResult& result : runs.sources.at(0).results)
    all[result.mutant.id] = result.verdict;
  return all;
}

} // namespace

TEST_CASE("The engine judges each mutant, in other orders too, and remembers what is known") {
  const tests::TemporaryFolder folder;
  std::size_t told = 0, now = 0;
  const auto run = [&](ScriptMutants& program, const model::Oracle& oracle, bool fresh = false) {
    told = now = 0;
    return run_mutants(program,
                       {.name = "script",
                        .oracle = oracle,
                        .folder = folder.path() / "runs",
                        .store = folder.path() / "results.db",
                        .jobs = 2,
                        .fresh = fresh},
                       [&](std::size_t total, const model::MutantResult&, bool has_run) {
                         CHECK(total == 5);
                         ++told;
                         now += has_run ? 1 : 0;
                       });
  };
  ScriptMutants first(kScript);
  const MutatedRuns runs = run(first, {});
  const std::map<std::string, Verdict> expected{
      {"fails", Verdict::Killed},   {"says", Verdict::Survived}, {"sleeps", Verdict::Timeout},
      {"dies", Verdict::Undecided}, {"waits", Verdict::Killed},  {"same", Verdict::NoCoverage}};
  CHECK(verdicts(runs) == expected);
  CHECK(runs.note.find("prints 'PASSED'") == 0);
  CHECK(runs.sources[0].oracle == "exit code");
  CHECK_FALSE(runs.sources[0].results[4].order.empty());
  CHECK(first.runs == 3 + process::kTries + 3); // that which others end is tried again
  CHECK((told == 5 && now == 5));
  // Only that of which nothing is known runs again.
  ScriptMutants second(kScript);
  CHECK(verdicts(run(second, {})) == expected);
  CHECK(second.runs == process::kTries);
  CHECK((told == 5 && now == 1));
  ScriptMutants again(kScript);
  run(again, {}, true);
  CHECK(again.runs == first.runs);
  // Another key, and another oracle.
  ScriptMutants other(std::string(kScript) + " # other");
  CHECK(verdicts(run(other, {.output = true}))["says"] == Verdict::Killed);
  // What is found in a faster way does not run, also not in other orders.
  ScriptMutants fast("true # fast");
  fast.is_fast = true;
  const MutatedRuns tried = run(fast, {});
  CHECK(fast.runs == 0);
  CHECK(tried.tried == 5);
  CHECK(tried.sources[0].results[0].detail == "fast");
}
