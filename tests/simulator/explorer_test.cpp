// The reduced search beside one that runs every interleaving there is.
#include "tests/catch.h"

#include "simulator/explorer.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

using namespace gputest::simulator;

namespace {

// A program of few words, with a register for each process.
struct Operation {
  enum Kind { Read, Write, WriteRegister, Add, Exchange, Copy, Barrier, SkipIfOdd };
  Kind kind = Read;
  unsigned cell = 0, other = 0; // other: of Copy the source
  unsigned value = 0;
};

struct Script {
  std::vector<std::vector<Operation>> processes;
  std::size_t group = 0; // processes [0, group) meet at barriers
};

class Machine : public Interleaved {
public:
  explicit Machine(const Script& program) : program_(program) {}

  std::size_t processes() const override { return program_.processes.size(); }

  void restart() override {
    cells.fill(0);
    states_.assign(processes(), {});
    for (std::size_t process = 0; process < processes(); ++process)
      prepare(process);
    release();
  }

  const gputest_visit* next(std::size_t process) const override {
    return states_[process].visits ? &states_[process].visit : nullptr;
  }

  std::optional<Met> step(std::size_t process) override {
    State& state = states_[process];
    const Operation& operation = program_.processes[process][state.at++];
    std::uint8_t& cell = cells.at(operation.cell);
    const auto value = static_cast<std::uint8_t>(operation.value);
    switch (operation.kind) {
    case Operation::Read:
      state.value = cell;
      break;
    case Operation::Write:
      cell = value;
      break;
    case Operation::WriteRegister:
      cell = static_cast<std::uint8_t>(state.value + value);
      break;
    case Operation::Add:
      cell = static_cast<std::uint8_t>(cell + value);
      break;
    case Operation::Exchange:
      state.value = std::exchange(cell, value);
      break;
    case Operation::Copy:
      cell = cells.at(operation.other);
      break;
    default:
      break;
    }
    prepare(process);
    if (release())
      return Met{0, program_.group};
    return std::nullopt;
  }

  std::size_t outcome() override {
    return outcomes.try_emplace(cells, outcomes.size()).first->second;
  }

  std::array<std::uint8_t, 4> cells{};
  std::map<std::array<std::uint8_t, 4>, std::size_t> outcomes;

private:
  struct State {
    std::size_t at = 0;
    std::uint8_t value = 0;
    bool visits = false, waits = false;
    gputest_visit visit{};
  };

  // To the next operation that others can see.
  void prepare(std::size_t process) {
    State& state = states_[process];
    const std::vector<Operation>& code = program_.processes[process];
    state.visits = state.waits = false;
    while (state.at < code.size() && code[state.at].kind == Operation::SkipIfOdd)
      state.at += state.value % 2 ? 2 : 1;
    if (state.at >= code.size())
      return;
    const Operation& operation = code[state.at];
    state.waits = operation.kind == Operation::Barrier;
    state.visits = !state.waits;
    state.visit = {};
    state.visit.site = 16 * process + state.at;
    const auto range = [&](unsigned cell, std::uint64_t effect) {
      return gputest_visit::gputest_range{&cells.at(cell), 1, effect};
    };
    switch (operation.kind) {
    case Operation::Read:
      state.visit.ranges[0] = range(operation.cell, GPUTEST_READS);
      break;
    case Operation::Write:
    case Operation::WriteRegister:
      state.visit.ranges[0] = range(operation.cell, GPUTEST_WRITES_VALUE);
      state.visit.value = static_cast<std::uint8_t>(
          operation.value + (operation.kind == Operation::Write ? 0 : state.value));
      break;
    case Operation::Add:
      state.visit.ranges[0] = range(operation.cell, GPUTEST_ADDS);
      break;
    case Operation::Copy:
      state.visit.ranges[1] = range(operation.other, GPUTEST_READS);
      [[fallthrough]];
    default:
      state.visit.ranges[0] = range(operation.cell, GPUTEST_WRITES);
      break;
    }
  }

  bool release() {
    bool released = false;
    while (program_.group != 0 &&
           std::all_of(states_.begin(),
                       states_.begin() + static_cast<std::ptrdiff_t>(program_.group),
                       [](const State& state) { return state.waits; })) {
      released = true;
      for (std::size_t process = 0; process < program_.group; ++process) {
        ++states_[process].at;
        prepare(process);
      }
    }
    return released;
  }

  const Script& program_;
  std::vector<State> states_;
};

// One visit of an interleaving; `round`: how often the group had met before.
struct Event {
  std::size_t process = 0, round = 0;
  gputest_visit visit{};
};

// Interleavings that differ only in the order of independent visits have the same: of all their
// orders that with the lowest processes first.
std::vector<std::size_t> canonical(const Script& program, const std::vector<Event>& events) {
  std::vector<bool> taken(events.size());
  std::vector<std::size_t> order;
  const auto comes_before = [&](std::size_t i, std::size_t j) {
    const bool met = events[i].process < program.group && events[j].process < program.group &&
                     events[i].round != events[j].round;
    return events[i].process == events[j].process || met ||
           dependent(events[i].visit, events[j].visit);
  };
  while (order.size() < events.size()) {
    std::size_t best = events.size();
    for (std::size_t j = 0; j < events.size(); ++j) {
      bool ready = !taken[j];
      for (std::size_t i = 0; i < j && ready; ++i)
        ready = taken[i] || !comes_before(i, j);
      if (ready && (best == events.size() || events[j].process < events[best].process))
        best = j;
    }
    taken[best] = true;
    order.push_back(events[best].process);
  }
  return order;
}

class BruteForce {
public:
  explicit BruteForce(const Script& program) : program_(program), machine_(program) { run({}); }

  std::set<std::array<std::uint8_t, 4>> outcomes;
  std::set<std::vector<std::size_t>> traces;
  std::size_t interleavings = 0;

private:
  void run(const std::vector<std::size_t>& prefix) {
    machine_.restart();
    std::vector<Event> events;
    std::size_t round = 0;
    for (const std::size_t process : prefix) {
      events.push_back({process, round, *machine_.next(process)});
      if (machine_.step(process))
        ++round;
    }
    std::vector<std::size_t> enabled;
    for (std::size_t process = 0; process < machine_.processes(); ++process)
      if (machine_.next(process))
        enabled.push_back(process);
    if (enabled.empty()) {
      ++interleavings;
      outcomes.insert(machine_.cells);
      traces.insert(canonical(program_, events));
    }
    for (const std::size_t process : enabled) {
      std::vector<std::size_t> longer = prefix;
      longer.push_back(process);
      run(longer);
    }
  }

  const Script& program_;
  Machine machine_;
};

Script random_program(std::mt19937_64& random) {
  Script program;
  const std::size_t processes = 2 + random() % 3, cells = 1 + random() % 3;
  const std::size_t most = processes == 2 ? 5 : processes == 3 ? 3 : 2;
  program.group = random() % 2 ? 0 : 2 + random() % (processes - 1);
  for (std::size_t process = 0; process < processes; ++process) {
    std::vector<Operation> code;
    const std::size_t length = 1 + random() % most;
    for (std::size_t i = 0; i < length; ++i)
      code.push_back(
          {static_cast<Operation::Kind>(random() % 8), static_cast<unsigned>(random() % cells),
           static_cast<unsigned>(random() % cells), static_cast<unsigned>(random() % 3)});
    program.processes.push_back(std::move(code));
  }
  return program;
}

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
    const Script program = random_program(random);
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
  CHECK(explored(program, {.visits = 3}).end == Exploration::End::Visits);
  CHECK(explored(program, {.visits = 4}).end == Exploration::End::Exhausted);
  CHECK(explored(program, {.interleavings = 1000, .seconds = 1e-9}).end ==
        Exploration::End::Seconds);
}

TEST_CASE("Turns that do not fit are said so") {
  using enum Operation::Kind;
  const Script program{{{{Write, 0, 0, 1}}, {{Write, 0, 0, 2}}}};
  Machine machine(program);
  CHECK(replay(machine, {{1, 1}}, 10));
  CHECK(machine.cells[0] == 1);
  CHECK(replay(machine, {}, 10));
  CHECK(machine.cells[0] == 2);
  CHECK_FALSE(replay(machine, {{1, 2}}, 10));
  CHECK_FALSE(replay(machine, {{7, 1}}, 10));
  CHECK_FALSE(replay(machine, {}, 1));
}
