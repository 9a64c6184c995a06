// Programs of few words for several processes, and all that can come of them: the truth about
// interleavings, by running every single one.
#pragma once

#include "simulator/explore/explorer.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <ranges>
#include <set>
#include <vector>

namespace gputest::simulator::tests {

// Each process has a register.
struct Operation {
  enum Kind { Read, Write, WriteRegister, Add, Exchange, Copy, Barrier, SkipIfOdd };
  Kind kind = Read;
  unsigned cell = 0, other = 0; // other: of Copy the source
  unsigned value = 0;
};

struct Script {
  std::vector<std::vector<Operation>> processes;
  std::size_t group = 0;       // processes [0, group) meet at barriers
  bool waits_for_ended = true; // OpenCL: a process that has ended keeps the others there
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
    const auto waits = [&](std::size_t process) { return states_[process].waits; };
    const auto holds = [&](std::size_t process) {
      return !waits(process) && (program_.waits_for_ended || states_[process].visits);
    };
    const auto all = std::views::iota(std::size_t{0}, program_.group);
    while (std::ranges::any_of(all, waits) && std::ranges::none_of(all, holds)) {
      released = true;
      for (const std::size_t process : all)
        if (waits(process)) {
          ++states_[process].at;
          prepare(process);
        }
    }
    return released;
  }

  const Script& program_;
  std::vector<State> states_;
};

class BruteForce {
public:
  explicit BruteForce(const Script& program);

  std::set<std::array<std::uint8_t, 4>> outcomes;
  std::set<std::vector<std::size_t>> traces; // interleavings but for the order of what commutes
  std::size_t interleavings = 0;

private:
  void run(const std::vector<std::size_t>& prefix);

  const Script& program_;
  Machine machine_;
};

Script random_script(std::mt19937_64& random);

} // namespace gputest::simulator::tests
