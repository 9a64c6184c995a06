// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds inputs that make one decision of a traced run go another way.
//
//     Solver solver;
//     Answer answer = solver.solve(traced, {.event = 7});
//     if (answer.kind == Answer::Kind::Found) … answer.arguments …
//
// Methods are tried from the cheapest on:
//  1. input to state: what one side of a comparison must be is written back to the input it came
//     from, through what can be undone (Aschermann et al., REDQUEEN, NDSS 2019, for copies; here
//     sums, products, shifts, conversions and the like as well);
//  2. search: distances to the conditions, made smaller input by input (Korel, 1990; for the
//     distances of floating-point numbers Fu and Su, XSat, CAV 2016). Built-in functions are
//     called;
//  3. Z3: bit vectors first, floating-point numbers after that, in a process of its own.
//
// An answer satisfies the path condition when the trace's expressions are evaluated. Only a run
// shows whether the kernel really goes there: Solver::reach() makes that run.
#pragma once

#include "model/names.h"
#include "testgen/concolic/trace.h"
#include "testgen/solve/z3_process.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// The decision to change, and how.
struct Wanted {
  std::size_t event = 0; // index in Traced::events; for an Address: the access goes elsewhere

  // The way that is wanted, as in way_of() (sites.h). nullopt: any other way than that of the run.
  std::optional<std::size_t> way{};

  // The earlier decisions that must stay. WorkItem: all of the same work-item. Everything: all of
  // the run, so that values that others wrote stay, too. Deciding: those of the work-item after
  // which it may miss this decision; other decisions may change (optimistic solving; Yun et al.,
  // QSYM, USENIX Security 2018, keep none).
  enum class Prefix { WorkItem, Everything, Deciding } prefix = Prefix::WorkItem;

  // True: earlier accesses keep their addresses, too. False: only decisions stay.
  bool keep_addresses = true;

  // Further conditions: labels of the trace's table, 1 bit each and not 0. They may be added to a
  // copy of Traced with add_input() and make().
  std::vector<Label> also{};

  // Returns such conditions for a run, as labels of `table`, a copy of the run's table. Unlike
  // `also`, it is asked again for each run that Solver::reach() makes. Null: there are none.
  std::function<std::vector<Label>(const Traced& traced, Table& table)> required{};
};

struct SolverLimits {
  std::size_t evaluations = 20'000; // of the search
  double seconds = 1;               // of the search, by what it computes
  double z3_seconds = 2;            // limit of each of Z3's two attempts, in steps
                                    // (kStepsOfSecond); 0: Z3 is not asked
  // Floating-point operations that Z3 is asked about at most, in one question. It makes circuits of
  // them before it counts steps, which takes a tenth of a second for each.
  std::size_t z3_circuits = std::numeric_limits<std::size_t>::max();
  unsigned z3_megabytes = 1024;
  std::uint64_t seed = 1; // of the search; the same seed gives the same answer
};

enum class Method : std::uint8_t { None, InputToState, Search, BitVectors, FloatingPoint };
constexpr auto names_of(Method) {
  return std::to_array<std::string_view>(
      {"none", "input to state", "search", "Z3 (bit vectors)", "Z3 (floating point)"});
}
using model::name_of;

struct Answer {
  enum class Kind {
    Found,
    Infeasible, // no input makes it so on this path; other paths may lead there (prove.h)
    Open        // neither found nor excluded
  };
  Kind kind = Kind::Open;
  Method method = Method::None;        // the one that found or excluded it
  std::vector<std::uint64_t> values{}; // Found: by unit
  std::vector<Argument> arguments{};   // Found
  Launch launch{};                     // Found
  std::string condition{};             // the wanted condition as text; Open: what stood in the way
  std::string reason{};                // Infeasible, Open: for people
  bool hashed = false; // Open: it lies behind a hash (hashed_rounds()), where little is tried
  std::size_t evaluations = 0;
  std::size_t z3_circuits = 0; // that Z3 has made
  double seconds = 0, z3_seconds = 0;
};

struct Reached {
  Answer answer;                // Found: confirmed by a run
  std::optional<Traced> traced; // the latest run
  unsigned rounds = 0;
};

// Solves questions, and keeps Z3's process between them.
class Solver {
public:
  Answer solve(const Traced& traced, const Wanted& wanted, const SolverLimits& limits = {});

  // Calls solve() and runs the result. If Prefix::WorkItem finds nothing, tries Prefix::Deciding.
  // If the kernel then takes an unexpected way but still makes the decision, solves again from the
  // new run, in at most `rounds` rounds. `options`: those of `traced`.
  Reached reach(Tracer& tracer, const Traced& traced, const Wanted& wanted,
                const SolverLimits& limits = {}, const TraceOptions& options = {},
                unsigned rounds = 3);

  Z3Process& z3() { return z3_; }

private:
  Z3Process z3_;
};

// Returns the index in `after` of the decision that is `event` in `before`: the same execution of
// the same site by the same work-item. nullopt: the decision was not made, or no longer depends on
// inputs.
std::optional<std::size_t> same_event(const Traced& before, std::size_t event, const Traced& after);

// Returns whether the decision goes the wanted way in `after`.
bool took(const Traced& before, const Wanted& wanted, const Traced& after);

// Returns how many multiplications follow each other on the way from inputs to `root`, with the
// bits of their products moved or mixed in between, as in a hash: each bit of the result then
// depends on every bit of the inputs, so that no value is nearer than another one.
std::size_t hashed_rounds(const Table& table, Label root);

// The conditions to solve, in an extended copy of the trace's table.
struct Conditions {
  Table table;
  std::vector<Label> prefix; // 1 bit each, must all be 1
  Label wanted = 0;          // likewise; 0: the table is full
};
Conditions conditions_of(const Traced& traced, const Wanted& wanted);

} // namespace gputest::testgen
