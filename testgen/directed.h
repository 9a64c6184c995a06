// Goals that fuzzing has not reached: asks the solver for inputs, and for proofs that there are
// none (testgen/concolic/, testgen/solve/).
#pragma once

#include "testgen/fuzzer.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gputest::testgen {

// What became of one goal.
struct DirectedAnswer {
  bool reached = false;
  std::string impossible; // why no input can reach it; empty: not proved
  std::string open;       // what stood in the way
};

class Director {
public:
  // Compiles the kernel for tracing. Throws what compiling throws.
  Director(const Target& target, const Constraints& constraints);
  Director(Director&&) noexcept;
  ~Director();

  // Starts from the inputs that `fuzzer` has, and offers it what the solver finds. Everything that
  // runs the kernel does so in a process of its own, for at most `seconds`. Of a mutant: inputs
  // that give its expression another value, and no proof.
  DirectedAnswer ask(const Goal& goal, Fuzzer& fuzzer, double seconds);

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace gputest::testgen
