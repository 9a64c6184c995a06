#include "runtime/analyses/mutation/trial.h"

#include "runtime/analyses/mutation/messages.h"
#include "runtime/process/worker.h"
#include "tests/catch.h"

using namespace gputest;
using namespace gputest::runtime;
using model::KillReason;
using model::Verdict;

namespace {

store::Outcome outcome(unsigned noticed, unsigned runs = 3) {
  store::Outcome outcome;
  outcome.runs = runs;
  outcome.noticed = noticed;
  outcome.verdict = verdict_of(runs, noticed);
  outcome.detail = "noticed " + std::to_string(noticed);
  if (noticed > 0)
    outcome.reason = KillReason::WrongOutput;
  outcome.seconds = 0.5;
  return outcome;
}

store::Outcome outcome_of(Verdict verdict) {
  store::Outcome outcome;
  outcome.verdict = verdict;
  return outcome;
}

// Runs the trial with the outcomes in order and returns the cases of the steps it made.
std::vector<std::size_t> run(Trial& trial, const std::vector<store::Outcome>& outcomes) {
  std::vector<std::size_t> cases;
  for (const store::Outcome& one : outcomes) {
    const auto step = trial.next();
    if (!step)
      break;
    cases.push_back(step->test_case);
    trial.add(one);
  }
  return cases;
}

} // namespace

TEST_CASE("a trial stops at the first kill") {
  Trial trial({2, 0, 1}, {}, false);
  CHECK(run(trial, {outcome(0), outcome(3), outcome(0)}) == std::vector<std::size_t>{2, 0});
  CHECK(!trial.next());
  const TrialResult result = trial.result();
  CHECK(result.verdict == Verdict::Killed);
  CHECK(result.reason == KillReason::WrongOutput);
  CHECK(result.detail == "noticed 3");
  CHECK(result.killed_by == std::vector<std::size_t>{0});
  CHECK(result.runs == 6);
  CHECK(result.seconds == 1.0);
}

TEST_CASE("with all cases a trial goes on after a kill, and names all that kill") {
  Trial trial({0, 1, 2}, {1}, true);
  CHECK(run(trial, {outcome(3), outcome(0), outcome(3), outcome(3)}) ==
        std::vector<std::size_t>{0, 1, 2});
  CHECK(trial.result().killed_by == std::vector<std::size_t>{0, 2});
  CHECK(trial.result().runs == 9);
}

TEST_CASE("noticed in some runs is undecided, and a later clear kill wins") {
  Trial undecided({0, 1}, {}, false);
  run(undecided, {outcome(1), outcome(0)});
  CHECK(undecided.result().verdict == Verdict::Undecided);
  CHECK(undecided.result().reason == KillReason::WrongOutput);
  CHECK(undecided.result().killed_by.empty());

  Trial killed({0, 1}, {}, false);
  run(killed, {outcome(1), outcome(3)});
  CHECK(killed.result().verdict == Verdict::Killed);
  CHECK(killed.result().killed_by == std::vector<std::size_t>{1});
}

TEST_CASE("a time-out ends a trial, a kill in another case wins over it") {
  Trial trial({0, 1}, {}, false);
  CHECK(run(trial, {outcome_of(Verdict::Timeout), outcome(3)}).size() == 1);
  CHECK(trial.result().verdict == Verdict::Timeout);
  CHECK(trial.result().killed_by == std::vector<std::size_t>{0});

  Trial all({0, 1}, {}, true);
  run(all, {outcome_of(Verdict::Timeout), outcome(3)});
  CHECK(all.result().verdict == Verdict::Killed);
  CHECK(all.result().killed_by == std::vector<std::size_t>{0, 1});
}

TEST_CASE("what does not compile is not run again, with all cases neither") {
  for (const bool all_cases : {false, true}) {
    Trial trial({0, 1}, {}, all_cases);
    CHECK(run(trial, {outcome_of(Verdict::CompileError), outcome(0)}).size() == 1);
    CHECK(trial.result().verdict == Verdict::CompileError);
  }
}

TEST_CASE("survivors are run under other orders, until one is a kill") {
  Trial trial({0, 1}, {1, 2}, false);
  run(trial, {outcome(0), outcome(0)});
  CHECK(trial.next() == TrialStep{0, 1});
  trial.skip(); // the original fails there
  CHECK(trial.next() == TrialStep{1, 1});
  trial.add(outcome(0));
  CHECK(trial.next() == TrialStep{0, 2});
  store::Outcome kill = outcome(3);
  kill.order = "shuffled 2";
  trial.add(kill);
  CHECK(!trial.next());
  CHECK(trial.result().verdict == Verdict::Killed);
  CHECK(trial.result().order == "shuffled 2");
  CHECK(trial.result().killed_by == std::vector<std::size_t>{0});
}

TEST_CASE("who is killed in the device's own order is run under no other") {
  Trial trial({0, 1}, {1}, true);
  CHECK(run(trial, {outcome(0), outcome(3), outcome(0)}).size() == 2);
}

TEST_CASE("a survivor passes everything; without cases there is no coverage") {
  Trial trial({0}, {1}, false);
  CHECK(run(trial, {outcome(0), outcome(0), outcome(3)}).size() == 2);
  CHECK(trial.result().verdict == Verdict::Survived);
  CHECK(trial.result().runs == 6);
  CHECK(!trial.result().reason);

  const Trial none({}, {1}, false);
  CHECK(!none.next());
  CHECK(none.result().verdict == Verdict::NoCoverage);
}

TEST_CASE("the cases that killed the last neighbour come first") {
  using Cases = std::vector<std::size_t>;
  CHECK(with_first({0, 1, 2, 3}, {2}) == Cases{2, 0, 1, 3});
  CHECK(with_first({0, 1, 3}, {3, 2}) == Cases{3, 0, 1});
  CHECK(with_first({0, 1}, {}) == Cases{0, 1});
}

TEST_CASE("What a worker sends about a mutant is read as it was sent, or the worker is damaged") {
  messages::ItemResult sent;
  sent.verdict = Verdict::Killed;
  sent.reason = KillReason::OutOfBounds;
  sent.detail = "a[i]";
  sent.killed_by = {1, 3};
  sent.wall = 0.25;
  const Json good = sent;
  const auto read = received<messages::ItemResult>(good);
  CHECK(read.verdict == Verdict::Killed);
  CHECK(read.reason == KillReason::OutOfBounds);
  CHECK(read.killed_by == sent.killed_by);
  CHECK(Json(read) == good);
  sent.reason.reset();
  CHECK_FALSE(received<messages::ItemResult>(Json(sent)).reason);

  const std::pair<const char*, Json> damages[] = {
      {"verdict", 0},        {"verdict", 99},     {"verdict", "killed by"}, {"verdict", Json()},
      {"reason", "no such"}, {"reason", 3},       {"killed_by", 1},         {"killed_by", {"a"}},
      {"runs", "many"},      {"seconds", "long"}, {"executed", 2}};
  for (const auto& [key, value] : damages) {
    CAPTURE(key, value);
    Json damaged = good;
    damaged[key] = value;
    CHECK_THROWS_AS(received<messages::ItemResult>(damaged), nlohmann::json::exception);
    damaged.erase(key);
    if (std::string_view(key) != "reason")
      CHECK_THROWS_AS(received<messages::ItemResult>(damaged), nlohmann::json::exception);
  }

  Json original = messages::OriginalCase{.wrong = "out[0]", .guilty = model::Guilty::Variant};
  CHECK(received<messages::OriginalCase>(original).guilty == model::Guilty::Variant);
  original["guilty"] = 5;
  CHECK_THROWS_AS(received<messages::OriginalCase>(original), nlohmann::json::exception);
}
