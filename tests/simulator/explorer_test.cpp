// The reduced search beside one that runs every interleaving there is.
#include "tests/catch.h"
#include "tests/simulator/scripts.h"

using namespace gputest::simulator;
using gputest::simulator::tests::BruteForce;
using gputest::simulator::tests::Machine;
using gputest::simulator::tests::Operation;
using gputest::simulator::tests::random_script;
using gputest::simulator::tests::Script;

namespace {

Exploration explored(const Script& program, ExplorationBounds bounds = {}) {
  Machine machine(program);
  return explore(machine, bounds);
}

} // namespace

TEST_CASE("One interleaving of each kind, as many as there are, with all outcomes") {
  std::mt19937_64 random(7);
  std::size_t reduced = 0, all = 0, differing = 0;
  for (int i = 0; i < 3000; ++i) {
    CAPTURE(i);
    const Script program = random_script(random);
    const BruteForce truth(program);
    Machine machine(program);
    const Exploration exploration = explore(machine, {});
    REQUIRE(exploration.end == Exploration::End::Exhausted);
    REQUIRE(exploration.interleavings == truth.traces.size());
    REQUIRE(machine.outcomes.size() == truth.outcomes.size());
    for (const auto& [cells, number] : machine.outcomes) {
      REQUIRE(truth.outcomes.contains(cells));
      REQUIRE(replay(machine, exploration.schedules.at(number), 100));
      REQUIRE(machine.cells == cells);
    }
    REQUIRE(exploration.pairs.empty() == (truth.outcomes.size() == 1));
    for (const DecidingPair& pair : exploration.pairs) {
      REQUIRE(pair.before != pair.after);
      REQUIRE(dependent(pair.first.visit, pair.second.visit));
      REQUIRE(pair.first.process != pair.second.process);
    }
    reduced += exploration.interleavings;
    all += truth.interleavings;
    differing += truth.outcomes.size() > 1;
  }
  CHECK(reduced * 2 < all); // though these few visits are nearly all of the same cells,
  CHECK(differing > 500);   // and the programs are not all alike
}

TEST_CASE("Known numbers of interleavings") {
  using enum Operation::Kind;
  const std::vector<Operation> increment{{Read}, {WriteRegister, 0, 0, 1}}, add{{Add, 0, 0, 1}};
  const std::vector<Operation> by_two{{Read}, {WriteRegister, 0, 0, 2}};
  // One after the other, or both read before either writes: then either write is the last.
  CHECK(explored({{increment, by_two}}).interleavings == 4);
  CHECK(explored({{increment, by_two}}).schedules.size() == 3);
  CHECK(explored({{increment, increment}}).interleavings == 3);    // both write the same then
  CHECK(explored({{increment, increment}}).schedules.size() == 2); // an update may be lost
  CHECK(explored({{add, add, add, add}}).interleavings == 1);      // they commute
  const std::vector<Operation> exchange{{Exchange, 0, 0, 1}};
  CHECK(explored({{exchange, exchange, exchange, exchange}}).interleavings == 24);
  const std::vector<Operation> same{{Write, 0, 0, 7}}, other{{Write, 0, 0, 8}};
  CHECK(explored({{same, same, same}}).interleavings == 1);
  CHECK(explored({{same, same, other}}).interleavings == 4);
  // A barrier leaves one order of what is before it and what is after it.
  const std::vector<Operation> writer{{Write, 0, 0, 1}, {Barrier}}, reader{{Barrier}, {Read}};
  CHECK(explored({{writer, reader, reader}, 3}).interleavings == 1);
}

TEST_CASE("Explorations have bounds") {
  using enum Operation::Kind;
  const std::vector<Operation> exchange{{Exchange, 0, 0, 1}};
  const Script program{{exchange, exchange, exchange, exchange}};
  CHECK(explored(program, {.interleavings = 23}).end == Exploration::End::Interleavings);
  CHECK(explored(program, {.interleavings = 23}).interleavings == 23);
  CHECK(explored(program, {.interleavings = 24}).end == Exploration::End::Exhausted);
  const Script writers{{{{Write, 0, 0, 1}}, {{Write, 0, 0, 2}}, {{Write, 0, 0, 3}}}};
  CHECK(explored(writers).interleavings == 6);
  CHECK(explored(writers, {.more = 1}).interleavings == 3); // the second is the first to differ
  CHECK(explored(program, {.visits = 3}).end == Exploration::End::Visits);
  CHECK(explored(program, {.visits = 4}).end == Exploration::End::Exhausted);
  CHECK(explored(program, {.interleavings = 1000, .seconds = 1e-9}).end ==
        Exploration::End::Seconds);
}

TEST_CASE("Turns are taken, and left out where there is nothing to do") {
  using enum Operation::Kind;
  const Script program{{{{Write, 0, 0, 1}}, {{Write, 0, 0, 2}}}};
  Machine machine(program);
  CHECK(replay(machine, {{1, 1}}, 10));
  CHECK(machine.cells[0] == 1);
  CHECK(replay(machine, {}, 10));
  CHECK(machine.cells[0] == 2);
  CHECK(replay(machine, {{1, 5}, {1, 1}}, 10));
  CHECK(machine.cells[0] == 1);
  CHECK_FALSE(replay(machine, {}, 1));
}
