// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verdicts on the mutants of one kernel, and the score: mutation.json
// (docs/reference/formats.md).
//
// The file follows the mutation-testing-elements schema, version 2, so that other viewers read it.
// What that schema has no word for is in objects called "gputest".
#pragma once

#include "model/mutation/mutants.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace gputest::model {

enum class Verdict {
  Killed,       // `reason` says how
  Survived,     // every case that reaches it passes
  NoCoverage,   // no case reaches it; it did not run
  Undecided,    // some of the repeated runs of a case notice it, others do not
  Timeout,      // it exceeded the wall-clock limit
  Equivalent,   // proved to compute what the original computes; it did not run
  Duplicate,    // proved to compute what another mutant computes; it did not run
  CompileError, // the device's compiler rejects it
  Ignored,      // left out by a comment in the source; it did not run
  NotRun        // the time limit of the run was over before its turn
};
constexpr auto names_of(Verdict) {
  return std::to_array<std::string_view>({"killed", "survived", "no_coverage", "undecided",
                                          "timeout", "equivalent", "duplicate", "compile_error",
                                          "ignored", "not_run"});
}

// How a mutant was noticed.
enum class KillReason {
  WrongOutput,
  OutOfBounds,      // an access outside an argument or an array, stopped at the access
  BudgetExhausted,  // many times the loop iterations that the original needs
  DivergentBarrier, // work-items of a group disagree before a barrier
  DivisionByZero,   // of integers
  Crash,            // the process that ran it died
  LaunchFailure,    // the device refuses the launch
  ProgramFailed,    // a program that runs the kernel exits with another code
  Race,         // in the simulator: accesses that nothing orders, which the original does not have
  Uninitialized // in the simulator: a value that nobody has written is used
};
constexpr auto names_of(KillReason) {
  return std::to_array<std::string_view>(
      {"wrong output", "out of bounds", "budget exhausted", "divergent barrier", "division by zero",
       "crash", "launch failure", "program failed", "race", "uninitialized"});
}

struct MutantResult {
  Mutant mutant;
  Verdict verdict = Verdict::Survived;
  std::optional<KillReason> reason; // Killed, Undecided
  std::string detail; // for people: what differed, where it was stopped, what the compiler said
  std::vector<std::string> reached_by; // names of cases
  std::vector<std::string> killed_by;  // names of cases; the first, or with --all-cases all
  unsigned runs = 0;                   // runs of kernels, including repetitions
  // Killed, Undecided: the order of work-items that showed it; empty: the device's own.
  std::string order;
  double seconds = 0;
  bool operator==(const MutantResult&) const = default;
};

// A kernel's results.
struct Mutation {
  std::string name;   // gputest_add_kernel(<name> …)
  std::string kernel; // the kernel's name
  std::string device;
  std::string source;                         // the source file, as the user named it
  std::map<std::string, std::string> sources; // text of each file that has mutants, by its name
  std::vector<std::string> cases;             // names, in order
  std::vector<std::string> operators;         // those that were selected
  unsigned repeat = 3;
  std::optional<double> threshold;   // percent
  bool deterministic = true;         // true: the original leaves the same memory in each repetition
  std::vector<MutantResult> results; // in the table's order; only what was selected
  std::uint64_t population = 0;      // number of mutants before SAMPLE; without it results.size()
  std::optional<std::uint64_t> sample_seed;  // set: results are a sample
  std::string since;                         // git ref; empty: all lines
  std::vector<std::string> functions, files; // patterns of FUNCTIONS and FILES; empty: all
  std::optional<double> time_limit{};        // seconds
  bool all_cases = false;                    // cases also ran after one had killed the mutant
  std::string oracle{}; // of a program: what judged it (model/programs/oracle.h); empty: no program
  std::vector<NotInstrumented> not_mutated;
  double seconds = 0;         // time to run the mutants
  std::uint64_t executed = 0; // mutants run now, not taken from the store
  bool operator==(const Mutation&) const = default;
};

// Returns whether the mutant is a fence of the other kind of memory that no test noticed. Hardly
// any device treats the two kinds differently. So such a mutant says nothing about the tests and
// does not count. It counts if something notices it, such as the simulator.
bool is_indistinct(const MutantResult& result);

// Returns whether nothing has looked at what the mutants computed: some mutants of a program
// survived, and all that did not ended by themselves, in a crash, a time-out, or where a guard or
// the simulator stopped them.
bool lacks_oracle(const Mutation& mutation);

struct Tallies {
  std::map<Verdict, std::uint64_t> count; // without those that are indistinct
  std::uint64_t indistinct = 0;
  std::uint64_t total = 0;

  std::uint64_t of(Verdict verdict) const;
  std::uint64_t detected() const; // Killed and Timeout
  // The denominator of the score, which is Killed / all that are not equivalent or duplicate, as in
  // CLTestCheck (FASE 2019, section 3.2). A mutant that did not compile, is ignored or was not run
  // does not count.
  std::uint64_t scored() const;
  std::optional<double> score() const; // percent; nullopt if scored() is 0
};

void add(Tallies& tallies, const MutantResult& result);
Tallies tally(std::span<const MutantResult> results);
// Returns tallies in the order of model/operators.h. A mutant counts for each operator
// that makes it.
std::vector<std::pair<std::string, Tallies>> tally_by_operator(std::span<const Mutation> mutations);

// Wilson's interval of the score at 95 %, in percent, for a sample from `population` mutants, with
// the correction for finite populations. nullopt if scored() is 0.
struct Interval {
  double low = 0, high = 0;
};
std::optional<Interval> confidence(const Tallies& sample, std::uint64_t population);

// Adds the results of `other`, another part (shard) or run of the same kernel. If a mutant is in
// both, the verdict that says more stays: killed, timeout, undecided, survived, no_coverage, then
// the rest, and not_run last. Cases and runs add up. Devices that differ are joined with ", ".
void merge(Mutation& into, const Mutation& other);

// Read JSON. Throw FormatError, also for results of several kernels.
Mutation mutation_from_json(const nlohmann::ordered_json& json);
Mutation read_mutation(const std::filesystem::path& file);

// The same for several kernels in one file, as `gputest report --json` writes it. Ids of mutants
// and cases then begin with "<name>/". The names of the kernels differ. A single kernel has the
// form above.
std::vector<Mutation> mutations_from_json(const nlohmann::ordered_json& json);
std::vector<Mutation> read_mutations(const std::filesystem::path& file);
std::string text_of(std::span<const Mutation> mutations); // the file's content

} // namespace gputest::model
