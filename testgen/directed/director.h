// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the solver about goals that fuzzing has not reached: for inputs, and for proofs that there
// are none (testgen/concolic/, testgen/solve/).
//
// A server process does the work. It compiles and prepares proofs once, and forks for each
// question. So a question that takes too long can be killed alone, and slow preparations with the
// server.
#pragma once

#include "process/child.h"
#include "process/descriptor.h"
#include "process/memory_file.h"
#include "testgen/directed/messages.h"
#include "testgen/goals/deadline.h"
#include "testgen/input_search.h"
#include "testgen/solve/solve.h"

#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::testgen {

// The answer for one goal.
struct DirectedAnswer {
  bool reached = false;
  Method method = Method::None; // the one that found the input
  std::string open;             // why it was not reached, for people
};

class Director {
public:
  Director(const Target& target, const Constraints& constraints);
  Director(const Director&) = delete;
  Director& operator=(const Director&) = delete;

  // Solves from the search's inputs towards `goal` and offers the search the inputs that it finds.
  // Changes sizes of the launch, too, if the constraints leave them open. For a mutant, it wants
  // inputs that give the mutant's expression another value. Ends by `until`, and after at most
  // `seconds`.
  DirectedAnswer ask(const Goal& goal, InputSearch& search, Deadline until, double seconds,
                     Effort effort = Effort::Fully);

  // Is called for each goal as soon as it is proved, with the reason.
  using Proved = std::function<void(const Goal&, const std::string&)>;

  // Proves that no input can reach some of `outcomes`. One call is enough, because the result does
  // not depend on the search's inputs. Invariants: with invariants of loops, which take longer than
  // Decisions.
  enum class Means { Decisions, Invariants };
  void prove_impossible(const std::vector<Goal>& outcomes, Means means, Deadline until,
                        const Proved& proved);

  // Proves that some of `mutants` are equivalent to the original.
  void prove_equivalent(const std::vector<Goal>& mutants, Deadline until, const Proved& proved);

  // True: a launch that was traced was ended by the clock, so another run may find more.
  bool late() const { return late_; }

  int process() const { return server_.id(); } // the server's id; 0: none runs

private:
  struct Answers;
  void start();
  process::Ended stop();
  // Sends a question and passes the answers on, until the server is done or the time is over.
  // `kind`: what the server must prepare; a kind that was too slow once is not asked again.
  void ask(Word word, const std::vector<std::byte>& question, Deadline until,
           const std::string& kind, const Answers& answers);
  // Asks once. Returns how the server has ended, if it did and nobody here wanted it.
  std::optional<process::Ended> ask_once(Word word, const std::vector<std::byte>& question,
                                         Deadline until, const std::string& kind,
                                         const Answers& answers);
  void prove(Word word, const std::vector<Goal>& goals, Deadline until, const std::string& kind,
             const Proved& proved);

  const Target& target_;
  const Constraints& constraints_;
  process::Descriptor socket_;
  process::Child server_;
  process::MemoryFile memory_{"gputest-question", sizeof(std::atomic<bool>)};
  std::atomic<bool>& is_over_; // the question, and what works on it is ended; the server reads it
  bool late_ = false;
  std::set<std::string> too_slow_; // kinds of questions that take too long to prepare
};

} // namespace gputest::testgen
