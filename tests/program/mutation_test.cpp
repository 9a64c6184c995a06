// The engine of mutation testing, with a made-up kind of program: a shell script to which a
// variable tells the mutant and the order.
#include "program/mutation.h"
#include "program/wanted.h"

#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>
#include <vector>

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
    std::this_thread::sleep_for(delay);
    ++runs;
    return {.command = {"sh", "-c", script_},
            .environment = {{"MUTANT", trial.result->mutant.id},
                            {"ORDER", std::to_string(trial.order)}},
            .timeout = 2,
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
  std::deque<MutantTrial> run_faster(std::deque<MutantTrial> trials, const Done& done,
                                     const TimeLimit& /*limit*/) override {
    if (!is_fast)
      return trials;
    for (const MutantTrial& trial : trials)
      done(trial, {.verdict = {Verdict::Survived, std::nullopt, "fast"}});
    return {};
  }

  bool checks_races() const override { return looks_for_races; }
  ChildSettings child_for_races(const MutantTrial* trial,
                                const std::filesystem::path& /*folder*/) override {
    if (trial)
      asked.push_back(trial->result->mutant.id);
    return {.command = {"true"}, .environment = {}, .output = {}};
  }
  std::vector<model::Finding> findings_in(const std::filesystem::path& /*folder*/) const override {
    if (asked.empty())
      return {};
    return {{.kind = "race", .site = {"k.cl", 3, 1}, .message = "two writes"}};
  }

  unsigned runs = 0;
  bool is_fast = false, looks_for_races = false;
  std::chrono::milliseconds delay{0}; // before a run
  std::vector<std::string> asked;     // about races

private:
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string script_;
  const ProgramOracle* oracle_ = nullptr;
};

const char* const kScript = "case $MUTANT$ORDER in fails0) exit 1;; says0) echo FAILED; exit 0;; "
                            "sleeps0) sleep 100;; dies0) kill -KILL $$;; waits3) exit 2;; esac; "
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

TEST_CASE("A survivor of synchronisation is asked for races, and no other") {
  const tests::TemporaryFolder folder;
  const auto run = [&](ScriptMutants& program) {
    return verdicts(run_mutants(
        program,
        {.name = "script", .folder = folder.path() / "runs", .store = folder.path() / "results.db"},
        [](std::size_t, const model::MutantResult&, bool) {}));
  };
  ScriptMutants without("true");
  CHECK(run(without)["waits"] == Verdict::Survived);
  ScriptMutants with("true");
  with.looks_for_races = true;
  const std::map<std::string, Verdict> found = run(with);
  CHECK(found.at("waits") == Verdict::Killed);
  CHECK(found.at("says") == Verdict::Survived);
  CHECK(with.asked == std::vector<std::string>{"waits"});
  CHECK(without.asked.empty());
}

TEST_CASE("What a time limit leaves has not run, and the next run goes on with it") {
  const tests::TemporaryFolder folder;
  const auto run = [&](ScriptMutants& program, std::optional<double> limit,
                       std::map<std::string, Verdict> last) {
    return run_mutants(program,
                       {.name = "script",
                        .folder = folder.path() / "runs",
                        .store = folder.path() / "results.db",
                        .jobs = 1,
                        .time_limit = limit,
                        .root = folder.path(),
                        .last = std::move(last)},
                       [](std::size_t, const model::MutantResult&, bool) {});
  };
  const char* const script = "[ $MUTANT != fails ]";
  ScriptMutants over(script);
  over.looks_for_races = true;
  const MutatedRuns none = run(over, 1e-9, {});
  CHECK(over.runs == 0);
  CHECK(over.asked.empty());
  CHECK(none.sources[0].time_limit == 1e-9);
  for (const auto& [id, verdict] : verdicts(none))
    CHECK(verdict == (id == "same" ? Verdict::NoCoverage : Verdict::NotRun));
  // A survivor of last time precedes what was killed, and what has no outcome in each order is no
  // survivor.
  ScriptMutants first(script);
  first.delay = std::chrono::milliseconds(600);
  const std::map<std::string, Verdict> last{
      {"fails", Verdict::Killed}, {"says", Verdict::Killed},    {"sleeps", Verdict::Killed},
      {"dies", Verdict::Killed},  {"waits", Verdict::Survived}, {"same", Verdict::NoCoverage}};
  const std::map<std::string, Verdict> partly = verdicts(run(first, 0.5, last));
  CHECK(first.runs == 1);
  for (const auto& [id, verdict] : partly)
    CHECK(verdict == (id == "same" ? Verdict::NoCoverage : Verdict::NotRun));
  // Its outcome is in the store: only the other orders are left.
  ScriptMutants second(script);
  const std::map<std::string, Verdict> all = verdicts(run(second, std::nullopt, {}));
  CHECK(second.runs == 4 + 2);
  CHECK(all.at("fails") == Verdict::Killed);
  CHECK(all.at("waits") == Verdict::Survived);
}

TEST_CASE("Mutants are wanted by operator, file, function, id, sample and shard") {
  const auto mutant = [](const std::string& id, const char* of, const char* file,
                         const char* function) {
    model::Mutant made;
    made.id = id;
    made.operators = {of};
    made.file = file;
    made.function = function;
    return made;
  };
  std::vector<model::Mutant> mutants;
  for (int i = 0; i < 40; ++i)
    mutants.push_back(mutant(std::to_string(i), i % 2 ? "odd" : "even",
                             i < 20 ? "/none/src/a.cu" : "/none/src/b.cuh",
                             i % 4 < 2 ? "scale<float>" : "sum"));
  const auto count = [&](const WantedMutants& wanted) {
    MutantFilter filter(wanted, "");
    return std::ranges::count_if(mutants, [&](const auto& one) { return filter.takes(one); });
  };
  const std::vector<std::string> both{"odd", "even"};
  CHECK(count({.operators = both}) == 40);
  CHECK(count({.operators = {"odd"}}) == 20);
  CHECK(count({.operators = both, .files = {"*.cuh"}}) == 20);
  CHECK(count({.operators = both, .files = {"b.cuh"}, .functions = {"scale*"}}) == 10);
  CHECK(count({.operators = both, .functions = {"scale"}}) == 0);
  CHECK(count({.operators = {"odd"}, .ids = {"3", "4"}}) == 1);
  // What no mutant has is a mistake. It is found in all of them, whatever else is wanted.
  const auto refusal = [&](const WantedMutants& wanted) {
    MutantFilter filter(wanted, "");
    for (const model::Mutant& one : mutants)
      filter.takes(one);
    return tests::message_of<RunRefused>([&] { filter.expect_matches("p"); });
  };
  CHECK(
      refusal({.operators = {"odd"}, .files = {"b.cuh"}, .functions = {"scale*", "sum"}}).empty());
  CHECK(refusal({.operators = both, .functions = {"sum", "scale"}}) ==
        "p: --functions: no mutant is in a function 'scale'; there are mutants in: scale<float>, "
        "sum");
  CHECK(refusal({.operators = both, .files = {"a.cu", "c.cu"}}) ==
        "p: --files: no mutant is in a file 'c.cu'; there are mutants in: /none/src/a.cu, "
        "/none/src/b.cuh");
  CHECK(refusal({.operators = {"odd"}, .ids = {"3", "4"}}) ==
        "p: --mutant: '4' is no mutant that is wanted");
  // Shards divide a sample, and population counts what is in the shard before the sample.
  std::set<std::string> ids;
  std::size_t population = 0;
  for (unsigned number = 1; number <= 3; ++number) {
    const MutantFilter filter({.operators = both, .sample = 10, .shard = {number, 3}}, "");
    std::vector<const model::Mutant*> all;
    for (const model::Mutant& one : mutants)
      all.push_back(&one);
    model::Mutation mutation;
    for (const model::Mutant* const one : filter.drawn(all, mutation))
      mutation.results.emplace_back().mutant = *one;
    CHECK(mutation.results.size() == 10);
    filter.keep_shard(mutation);
    population += mutation.population;
    for (const model::MutantResult& result : mutation.results)
      CHECK(ids.insert(result.mutant.id).second);
  }
  CHECK(ids.size() == 10);
  CHECK(population == 40);
}
