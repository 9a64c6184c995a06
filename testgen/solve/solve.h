// Inputs that make one decision of a traced run go the other way.
//
//     Solver solver;
//     Answer answer = solver.solve(traced, {.event = 7});
//     if (answer.kind == Answer::Kind::Found) … answer.arguments …
//
// Ways are tried from the cheapest on:
//  1. input to state: what one side of a comparison must be is written back to the input it came
//     from, through what can be undone (Aschermann et al., REDQUEEN, NDSS 2019, for copies; here
//     sums, products, shifts, conversions and the like as well);
//  2. search: distances to the conditions, made smaller input by input (Korel, 1990; for the
//     distances of floating-point numbers Fu and Su, XSat, CAV 2016). Built-in functions are
//     called;
//  3. Z3: bit vectors first, floating-point numbers after that, in a process of its own.
//
// An answer satisfies the path condition by evaluation of the trace's expressions. Whether the
// kernel then really goes there is seen by running it: Solver::reach() does.
#pragma once

#include "testgen/concolic/trace.h"
#include "testgen/solve/z3_process.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// What is to become of a decision.
struct Wanted {
  std::size_t event = 0; // of Traced::events; any kind but Address, too: an access elsewhere

  // Switch: the number of the case in its site, the number of cases: default. None: for a switch
  // any other way, for others the opposite.
  std::optional<std::size_t> way{};

  // What must stay on the way there: the decisions that the same work-item took before, or all that
  // were taken before (values that others wrote come about as they did). Deciding: those of the
  // work-item after which it may miss this one; the others may change the values that meet here
  // (optimistic solving; Yun et al., QSYM, USENIX Security 2018, keep none).
  enum class Prefix { WorkItem, Everything, Deciding } prefix = Prefix::WorkItem;

  // Accesses on the way there stay at their addresses where this holds; else only decisions count.
  bool keep_addresses = true;

  // More that must hold: labels of the trace's table, 1 bit, not 0. Of inputs: add_input() and
  // make() of a copy of Traced work as well as labels that are there.
  std::vector<Label> also{};
};

struct SolverLimits {
  std::size_t evaluations = 20'000; // of the search
  double seconds = 1;               // of the search
  double z3_seconds = 2;            // 0: Z3 is not asked; of each of its two attempts
  unsigned z3_megabytes = 1024;
  std::uint64_t seed = 1; // of the search: the same gives the same answer
};

enum class Method : std::uint8_t { None, InputToState, Search, BitVectors, FloatingPoint };
const char* name_of(Method method); // "input to state", "search", "Z3 (bit vectors)", …

struct Answer {
  enum class Kind {
    Found,
    Infeasible, // no input takes this way there: of this path, not of the outcome (prove.h)
    Open        // not found, and not excluded
  };
  Kind kind = Kind::Open;
  Method method = Method::None;        // that found or excluded it
  std::vector<std::uint64_t> values{}; // Found: of all units
  std::vector<Argument> arguments{};   // Found
  Launch launch{};                     // Found
  std::string condition{};             // what was to hold, as text: of Open what stood in the way
  std::string reason{};                // of Infeasible and Open: for people
  std::size_t evaluations = 0;
  double seconds = 0, z3_seconds = 0;
};

struct Reached {
  Answer answer;                // Found: seen to be so in a run
  std::optional<Traced> traced; // that run
  unsigned rounds = 0;
};

// Keeps Z3's process between questions.
class Solver {
public:
  Answer solve(const Traced& traced, const Wanted& wanted, const SolverLimits& limits = {});

  // solve(), and runs what was found. What the decisions on the way there stand in the way of is
  // tried with those alone that decide whether the work-item comes by. Where the kernel takes
  // another way than expected the new run is solved from next, as long as it has the decision; at
  // most `rounds`. `options` are those that `traced` was made with.
  Reached reach(Tracer& tracer, const Traced& traced, const Wanted& wanted,
                const SolverLimits& limits = {}, const TraceOptions& options = {},
                unsigned rounds = 3);

  Z3Process& z3() { return z3_; }

private:
  Z3Process z3_;
};

// The decision of `after` that is `event` of `before`: of the same work-item and the same site,
// with as many of those before it. None: it was not taken, or depends on no input any more.
std::optional<std::size_t> same_event(const Traced& before, std::size_t event, const Traced& after);

// Whether it goes the wanted way there.
bool took(const Traced& before, const Wanted& wanted, const Traced& after);

// What is to hold, as labels of a table: path conditions with their directions, the wanted way
// last. Works on a copy of the trace's table, which it extends.
struct Conditions {
  Table table;
  std::vector<Label> prefix; // 1 bit each, must be 1
  Label wanted = 0;          // likewise; 0: the event cannot go another way (one case, say)
};
Conditions conditions_of(const Traced& traced, const Wanted& wanted);

} // namespace gputest::testgen
