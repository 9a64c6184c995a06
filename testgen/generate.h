// Test cases for one kernel, from nothing but its source.
#pragma once

#include "testgen/busy.h"
#include "testgen/fuzzer.h"
#include "testgen/inference.h"
#include "testgen/inputs/case_file.h"
#include "testgen/session.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::testgen {

struct Settings : InputSettings {
  std::set<model::Criterion> criteria;
  std::size_t most_cases = 100;
  std::filesystem::path output;
  bool record = true; // outputs, as the simulator has them
};

struct Written {
  std::string name{}; // of the case
  std::filesystem::path file{};
  std::vector<Goal> goals{}; // outcomes
  std::vector<Goal> kills{}; // mutants
  std::string weak{};        // why it says little as a test; empty: it does not
  bool recorded = false;
  std::string not_recorded{};
};

struct OpenGoal {
  Goal goal;
  std::string why; // what stood in the way
};

// How the mutants of a kernel fared as goals.
struct MutantsTried {
  std::size_t goals = 0;
  std::size_t killed_before = 0;  // by cases that were there
  std::size_t killed = 0;         // in all
  std::size_t left_to_checks = 0; // no goals: MutantProgram
  std::vector<Goal> all;
  std::vector<OpenGoal> equivalent, left;
};

struct Generated {
  std::vector<Goal> goals;
  std::size_t reached_before = 0; // by cases that were there
  std::size_t reached = 0;        // in all
  std::size_t by_search = 0;      // of them by inputs that the solver found without Z3
  std::size_t by_z3 = 0;          // and with it
  std::vector<OpenGoal> impossible, open;
  std::map<unsigned, std::string> by_case; // by bit of a goal: a case that is there and reaches it
  std::optional<MutantsTried> mutants;
  std::vector<Written> written;
  std::vector<Guard> guards;
  Inferred inferred;
  std::vector<std::string> notes; // cases that could not be used, and the like
  Shape shape;                    // of the first case, or of the smallest launch
  std::uint64_t launches = 0, mutant_launches = 0, endless = 0;
  double seconds = 0;
  Busy::Stages busy;
};

// Compiles, looks for inputs, and writes cases, all within Settings::seconds and one more; what is
// found depends on these only where they are used up. Throws std::runtime_error where a file cannot
// be written, and what compiling throws; wrong settings are ExpressionError and runtime's
// UsageError.
Generated generate(const Target& target, const Settings& settings, const Fuzzer::Report& report);

// A call of gputest_add_kernel().
struct CMakeCall {
  std::string name;
  std::filesystem::path base; // absolute: what paths are relative to
  std::string more{};         // lines with other keywords
};

// The call, with what was inferred.
std::string cmake_text(const Target& target, const Settings& settings, const Generated& generated,
                       const CMakeCall& call);

} // namespace gputest::testgen
