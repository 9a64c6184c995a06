// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs Z3 in a process of its own, because it may take any time and memory, and may crash.
#pragma once

#include "process/child.h"
#include "process/descriptor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// Z3's limits are steps that it counts (its resource limit), so that an answer is the same on a
// busy machine. Limits are given in seconds of an idle machine: this many steps each.
inline constexpr double kStepsOfSecond = 8e6;

// A question in SMT-LIB 2.6 without check-sat. Its constants are bit vectors.
struct Question {
  std::string text;
  std::vector<std::string> names; // the constants whose values are wanted
  // With doubts, which are the last assertions of the text, the question is which of them hold
  // wherever the other assertions do. Values are found with which some doubts do not hold, and
  // those are left out, until there are no such values.
  std::size_t doubts = 0;
  double seconds = 2;        // in steps (kStepsOfSecond)
  unsigned megabytes = 1024; // of the whole process
};

struct Verdict {
  enum class Kind {
    Satisfiable,
    Unsatisfiable,
    Unknown, // a limit was reached, or Z3 gave up
    Missing  // there is no gputest-solver
  };
  Kind kind = Kind::Unknown;
  std::map<std::string, std::uint64_t> values{}; // Satisfiable
  std::vector<std::size_t> wrong{};              // doubts that were left out, by their numbers
  std::string reason{};                          // Unknown, Missing: for people
  double seconds = 0;                            // by the clock
  double steps = 0;                              // of Z3
  // Unknown: Z3 did not come to its limits, because somebody ended it or the machine gave it no
  // time. That is no answer: the same question may be answered another time.
  bool lost = false;
};

// Returns the path of gputest-solver: $GPUTEST_SOLVER, or else the file beside this program, or
// else where it was built. Returns "" if GpuTestCheck was configured without Z3;
// missing_solver_message() then says what to do.
std::string solver_program();
std::string missing_solver_message();

// A process that answers one question after the other. It starts with the first question, and again
// after it has ended.
class Z3Process {
public:
  Z3Process() = default;
  Z3Process(const Z3Process&) = delete;
  Z3Process& operator=(const Z3Process&) = delete;

  // An answer depends on nothing but the question, so a question that was asked before is answered
  // without Z3, with the steps that it took.
  Verdict ask(const Question& question);

  double steps() const { return steps_; }     // of all questions
  bool has_lost() const { return has_lost_; } // some question had no answer (Verdict::lost)

private:
  bool start();
  Verdict ask_anew(const Question& question);
  std::optional<process::Ended> ask_once(const Question& question, Verdict& verdict);

  process::Descriptor socket_;
  process::Child process_;
  std::map<std::string, Verdict> known_; // by the limits and the text of the question
  double steps_ = 0;
  bool has_lost_ = false;
};

} // namespace gputest::testgen
