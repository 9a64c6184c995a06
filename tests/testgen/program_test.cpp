// Random kernels against all of their inputs: what is proved of them, and what is generated.
#include "tests/catch.h"
#include "tests/random_count.h"
#include "tests/testgen/random/all_inputs.h"
#include "tests/testgen/solver.h"

#include "testgen/mutants/equivalence.h"
#include "testgen/solve/prove.h"
#include "testgen/solve/z3_process.h"

#include <set>

using namespace gputest;
using namespace gputest::testgen;
using namespace gputest::testgen::tests;

namespace {

std::vector<Goal> every_goal(const Target& target) {
  using model::Criterion;
  return goals_of(target.sites, {Criterion::Statement, Criterion::Branch, Criterion::Condition,
                                 Criterion::Loop, Criterion::Barrier});
}

// The outcomes that some input has, as text_of() says them.
std::set<std::string> reachable(const Target& target, Worker& worker, Dialect dialect) {
  std::set<std::string> found, all;
  const std::vector<Goal> goals = every_goal(target);
  for (const Goal& goal : goals)
    all.insert(text_of(goal, target.sites));
  for (unsigned part = 0; part < kParts && found != all; ++part) {
    const Outcome outcome = worker.run(all_inputs(part, dialect));
    REQUIRE(outcome.clean());
    for (const Goal& goal : goals)
      if (outcome.has(goal.bit))
        found.insert(text_of(goal, target.sites));
  }
  return found;
}

void prove_random_kernels(Dialect dialect) {
  gputest::tests::require_solver();
  std::size_t never = 0, impossible = 0, equivalent = 0, not_proved = 0;
  const bool is_long = gputest::tests::is_long_run();
  const std::size_t kernels = gputest::tests::random_count(1);
  for (std::size_t seed = 1; seed <= kernels; ++seed) {
    const std::string text = RandomProgram(seed, dialect).text(Reads::Buffer);
    INFO("seed " << seed << '\n' << text);
    // Which take longest to compile.
    const bool mutants_too = dialect != Dialect::Warps || (is_long && seed % 8 == 0);
    const Target target = target_of_text(text, mutants_too, dialect);
    CompiledKernel compiled(target);
    Worker worker(target, compiled.kernels(), {.steps = simulator::kAnySteps, .seconds = 20});
    const std::set<std::string> reached = reachable(target, worker, dialect);
    Z3Process z3;
    Prover prover(target.instrumented, "k");
    for (const Goal& goal : every_goal(target)) {
      const bool is_reached = reached.contains(text_of(goal, target.sites));
      if ((is_reached || (dialect == Dialect::Warps && !is_long)) &&
          goal.bit % 8 != seed % 8) // some
        continue;
      const Proof proof =
          prover.outcome(goal.bit, z3, {.seconds = 0.2, .invariant_seconds = is_long ? 3.0 : 0.5});
      INFO(text_of(goal, target.sites) << ": " << proof.reason);
      CHECK_FALSE((is_reached && proof.kind == Proof::Kind::Impossible));
      never += !is_reached;
      impossible += proof.kind == Proof::Kind::Impossible;
    }
    if (!mutants_too)
      continue;
    EquivalenceProver mutants(target.original, target.mutants->differences, "k");
    std::vector<const model::Mutant*> proved;
    const auto goals = target.mutants->goals_of("k");
    // Most take Z3 all the time they have: a part of them in short runs.
    const std::size_t step = is_long ? 4 : 32;
    for (std::size_t i = seed % step; i < goals.size(); i += step)
      if (!mutants.prove(*goals[i], z3, 0.1).empty())
        proved.push_back(goals[i]);
      else
        ++not_proved;
    equivalent += proved.size();
    for (unsigned part = 0; part < kParts && !proved.empty(); ++part) {
      const std::vector<Fate> fates =
          worker.try_mutants(all_inputs(part, dialect), {}, proved, true);
      REQUIRE(fates.size() == proved.size());
      for (std::size_t i = 0; i < fates.size(); ++i) {
        INFO(testgen::text_of(*proved[i]));
        CHECK((fates[i] == Fate::NotReached || fates[i] == Fate::Survived));
      }
    }
  }
  CAPTURE(never, impossible, equivalent, not_proved);
  CHECK((impossible > 0 || dialect == Dialect::Warps)); // the kernel of a short run has none
  CHECK((not_proved > 0 || dialect == Dialect::Warps));
  if (kernels >= 25 && dialect != Dialect::Warps) // few mutants of such kernels are equivalent
    CHECK(equivalent > 0);
}

void generate_for_random_kernels(Dialect dialect) {
  std::size_t all = 0, left = 0;
  std::string open_text;
  for (std::size_t seed = 1; seed <= gputest::tests::random_count(1); ++seed) {
    const RandomProgram program(1000 + seed, dialect);
    std::set<std::string> possible;
    {
      const Target target = target_of_text(program.text(Reads::Buffer), false, dialect);
      CompiledKernel compiled(target);
      Worker worker(target, compiled.kernels(), {.steps = simulator::kAnySteps, .seconds = 20});
      possible = reachable(target, worker, dialect);
    }
    const Target target = target_of_text(program.text(Reads::Arguments), false, dialect);
    INFO("seed " << seed << '\n' << program.text(Reads::Arguments));
    const Folder folder;
    Settings given = settings(folder);
    given.criteria.insert(model::Criterion::Statement);
    given.seconds = 20;
    if (dialect == Dialect::Warps)
      given.requirements.push_back(fmt::format("local_size(0) == {}", kThreads));
    const Generated generated = generate(target, given, {});
    std::set<std::string> reached;
    for (const Goal& goal : generated.goals)
      reached.insert(text_of(goal, target.sites));
    for (const OpenGoal& proved : generated.impossible) {
      reached.erase(text_of(proved.goal, target.sites));
      INFO(text_of(proved.goal, target.sites) << ": " << proved.why);
      CHECK(!possible.contains(text_of(proved.goal, target.sites)));
    }
    for (const OpenGoal& open : not_reached(generated)) {
      reached.erase(text_of(open.goal, target.sites));
      if (!possible.contains(text_of(open.goal, target.sites)))
        continue;
      ++left;
      open_text += fmt::format("seed {}: {}: {}\n{}", seed, text_of(open.goal, target.sites),
                               open.why, program.text(Reads::Arguments));
    }
    for (const std::string& goal : reached) {
      INFO(goal);
      CHECK(possible.contains(goal));
    }
    all += possible.size();
  }
  INFO(left << " of " << all << " outcomes are left open that an input reaches:\n" << open_text);
  CHECK(20 * left <= all); // within the time that there is
}

} // namespace

// In short runs one language each: CUDA C++ where its cases are generated, for which outcomes are
// proved as well. What is proved of warps, warps_random_test.cpp looks at.
TEST_CASE("Nothing is proved impossible or equivalent that an input of a random kernel shows",
          "[needs][needs-solver]") {
  prove_random_kernels(Dialect::OpenCl);
  if (gputest::tests::asked_random_count())
    prove_random_kernels(Dialect::Cuda);
}

TEST_CASE("What an input of a random kernel reaches, generated cases reach") {
  generate_for_random_kernels(Dialect::Cuda);
  if (gputest::tests::asked_random_count())
    generate_for_random_kernels(Dialect::OpenCl);
}

TEST_CASE("Nothing is proved impossible or equivalent that an input of a random kernel of warps "
          "shows",
          "[needs][needs-solver][long]") {
  prove_random_kernels(Dialect::Warps);
}

TEST_CASE("What an input of a random kernel of warps reaches, generated cases reach") {
  generate_for_random_kernels(Dialect::Warps);
}
