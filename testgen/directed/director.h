// Goals that fuzzing has not reached: asks the solver for inputs, and for proofs that there are
// none (testgen/concolic/, testgen/solve/).
//
// All of it is done by a process of its own, which compiles and prepares proofs once and makes a
// copy of itself for each question. So whatever takes too long can be ended: a question alone, or
// with what is prepared for it.
#pragma once

#include "testgen/deadline.h"
#include "testgen/directed/messages.h"
#include "testgen/fuzzer.h"
#include "testgen/solve/solve.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace gputest::testgen {

// What became of one goal.
struct DirectedAnswer {
  bool reached = false;
  Method method = Method::None; // that found the input
  std::string open;             // what stood in the way
};

class Director {
public:
  Director(const Target& target, const Constraints& constraints);
  Director(const Director&) = delete;
  Director& operator=(const Director&) = delete;
  ~Director();

  // Starts from the inputs that `fuzzer` has, and offers it what the solver finds; of sizes of the
  // launch, too, where the constraints leave them open. Of a mutant: inputs that give its
  // expression another value. By `until`, and in at most `seconds`.
  // `Cheaply`: without Z3, and with a short search.
  enum class Effort { Cheaply, Fully };
  DirectedAnswer ask(const Goal& goal, Fuzzer& fuzzer, Deadline until, double seconds,
                     Effort effort = Effort::Fully);

  // `Proved` is told of each goal as soon as it is proved, and why.
  using Proved = std::function<void(const Goal&, const std::string&)>;

  // Proves that no input can reach outcomes. Once is enough: inputs have no part in it. Finding
  // what always holds in loops takes longer than what is proved without it.
  enum class Means { Decisions, Invariants };
  void prove_impossible(const std::vector<Goal>& outcomes, Means means, Deadline until,
                        const Proved& proved);

  // Proves that mutants are nothing but another way to write the original.
  void prove_equivalent(const std::vector<Goal>& mutants, Deadline until, const Proved& proved);

  int process() const { return process_; } // the server; 0 or less: none is there

private:
  struct Answers;
  bool start();
  void stop();
  // Gives `answers` what comes, until the server is done with the question or there is no time.
  void ask(Word word, const std::vector<std::byte>& question, Deadline until,
           const std::string& kind, const Answers& answers);
  void prove(Word word, const std::vector<Goal>& goals, Deadline until, const std::string& kind,
             const Proved& proved);

  const Target& target_;
  const Constraints& constraints_;
  int socket_ = -1, process_ = -1;
  std::set<std::string> too_slow_; // kinds of questions that take too long to prepare
};

} // namespace gputest::testgen
