// Z3, in a process of its own: it can take any time and memory, and end in any way.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gputest::testgen {

// A question in SMT-LIB 2.6 without its check-sat, whose constants are bit vectors.
struct Question {
  std::string text;
  std::vector<std::string> names; // of constants whose values are wanted
  double seconds = 2;
  unsigned megabytes = 1024; // of the process; what it had before counts
};

struct Verdict {
  enum class Kind {
    Satisfiable,
    Unsatisfiable,
    Unknown, // the limits were reached, or Z3 gives up
    Missing  // there is no Z3
  };
  Kind kind = Kind::Unknown;
  std::map<std::string, std::uint64_t> values{}; // Satisfiable
  std::string reason{};                          // Unknown, Missing: for people
  double seconds = 0;
};

// The program gputest-solver: $GPUTEST_SOLVER, else beside this program, else where it was built.
// Empty: Z3 was not there when GpuTestCheck was configured, and the message says what to do.
std::string solver_program();
std::string missing_solver_message();

// One process answers one question after the other; it is started with the first, and again where
// it has ended.
class Z3Process {
public:
  Z3Process() = default;
  Z3Process(const Z3Process&) = delete;
  Z3Process& operator=(const Z3Process&) = delete;
  ~Z3Process();

  Verdict ask(const Question& question);

private:
  bool start();
  void stop();

  int process_ = -1, socket_ = -1;
};

} // namespace gputest::testgen
