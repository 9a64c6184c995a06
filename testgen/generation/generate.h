// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates test cases for one kernel from its source alone.
#pragma once

#include "testgen/busy.h"
#include "testgen/inference.h"
#include "testgen/input_search.h"
#include "testgen/inputs/case_file.h"
#include "testgen/session.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::testgen {

struct Settings : InputSettings {
  std::set<model::Criterion> criteria;
  std::size_t most_cases = 100;
  std::filesystem::path output;
  bool record = true; // writes the simulator's outputs to the cases
  // Also looks for cases with which the kernel races or goes out of bounds, for what no other
  // reaches; they record no outputs.
  bool assume_fixed = false;
  bool judge_existing = false; // fills Generated::existing
};

// What may fail the tests of a project that has the case.
struct CaseRisks {
  // The finding of CHECK that work-items write one place, the same value; empty: there is none.
  std::string same_values{};
  bool depends_on_order = false; // an output does, which SCHEDULES reports
};

struct Written {
  std::string name{}; // of the case
  std::filesystem::path file{};
  std::vector<Goal> goals{}; // outcomes
  std::vector<Goal> kills{}; // mutants
  std::string weak{};        // why it is weak as a test (weak.h); empty: it is not
  CaseRisks risks{};
  std::vector<std::string> assumes_fixed{}; // faults behind which it reaches its goals
  bool recorded = false;
  // Why no outputs are recorded.
  std::string not_recorded{};
};

struct OpenGoal {
  Goal goal;
  std::string why; // what stood in the way
};

// The results for the kernel's mutants.
struct MutantsTried {
  std::size_t goals = 0;
  std::size_t killed_before = 0;  // by existing cases
  std::size_t killed = 0;         // in all
  std::size_t left_to_checks = 0; // no goals: MutantProgram::left_to_checks()
  std::vector<Goal> all;
  std::vector<OpenGoal> equivalent, left;
};

struct Generated {
  std::vector<Goal> goals;
  std::size_t reached_before = 0; // by existing cases
  std::size_t reached = 0;        // in all
  std::size_t behind_faults = 0;  // of these: only by cases that assume that faults are fixed
  std::size_t by_search = 0;      // of these: by inputs that the solver found without Z3
  std::size_t by_z3 = 0;          // of these: by inputs that Z3 found
  std::vector<OpenGoal> impossible, open;
  std::vector<OpenGoal> blocked; // only inputs reach it with which the kernel is at fault, or no
                                 // input is without a fault
  std::string always_at_fault;   // the finding that blocks all, and the smallest input with it
  std::map<unsigned, std::string> by_case; // by bit of a goal: the existing case that reaches it
  std::optional<MutantsTried> mutants;
  std::vector<Written> written;
  std::map<std::string, CaseRisks> existing; // by name of the case, with judge_existing
  std::vector<Guard> guards;
  Inferred inferred;
  std::vector<std::string> notes; // cases that could not be used, and the like
  Shape shape;                    // the first case's, or the smallest launch
  std::uint64_t launches = 0, mutant_launches = 0;
  std::uint64_t endless = 0;        // launches that did not end,
  std::uint64_t endless_in_all = 0; // of these: in all steps that a launch may make
  double seconds = 0;
  bool out_of_time = false; // the time for compiling or for the search was used up
  Busy::Stages busy;
};

// Compiles, searches for inputs and writes cases, within Settings::seconds and one more second of
// processor time (WorkClock), so that a busy machine finds what an idle one finds. Results depend
// on the time only if it is used up. Throws std::runtime_error if a file cannot be
// written, what compiling throws, and for wrong settings ExpressionError or runtime's UsageError.
Generated generate(const Target& target, const Settings& settings,
                   const InputSearch::Report& report);

// Returns a line with a keyword of a CMake function and its values, quoted where CMake needs that;
// "" without values. A keyword may be given once, with all its values.
std::string cmake_keyword(std::string_view keyword, const std::vector<std::string>& values);

// A call of gputest_add_kernel().
struct CMakeCall {
  std::string name;
  std::filesystem::path base; // absolute; paths in the call are relative to it
  std::string more{};         // lines with other keywords
};

// Returns the call as text, with the inferred arguments.
std::string cmake_text(const Target& target, const Settings& settings, const Generated& generated,
                       const CMakeCall& call);

} // namespace gputest::testgen
