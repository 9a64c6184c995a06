// Contents of buffers: drawn at random, and what is said of them as conditions for the solver.
// Sizes of the launch and of buffers, and scalars, are those of the test case.
#pragma once

#include "memory/trace/tracer.h"
#include "testgen/concolic/trace.h"
#include "testgen/inputs/constraints.h"
#include "testgen/inputs/random.h"
#include "testgen/target.h"

#include <cstdint>
#include <vector>

namespace gputest::memory {

class Inputs {
public:
  // `trace`: of `first`. What the kernel only writes stays as it is.
  Inputs(const testgen::Target& target, const testgen::Constraints& constraints,
         const TracedLaunch& first, const LaunchTrace& trace);

  // Whether there is a buffer whose content may be another one.
  bool any() const { return !varied_.empty(); }

  TracedLaunch random(testgen::Random& random) const;
  // `launch` with a part of one buffer filled with one element, drawn or copied from elsewhere in
  // it, or drawn anew.
  TracedLaunch changed(const TracedLaunch& launch, testgen::Random& random) const;

  // For the tracer of expressions.
  std::vector<testgen::SymbolicRange> symbolic() const;
  testgen::Launch launch() const;
  std::vector<testgen::Argument> arguments(const TracedLaunch& launch) const;
  TracedLaunch launch_of(const std::vector<testgen::Argument>& arguments) const;

  // That each unit is in the domain that its argument has: labels of the run's table, which grows.
  std::vector<testgen::Label> domains(testgen::Traced& traced) const;

private:
  const testgen::Domain* domain(std::size_t argument) const;
  void draw_element(std::size_t argument, std::uint64_t below, testgen::Random& random,
                    std::byte* to) const;

  const testgen::Target& target_;
  const testgen::Constraints& constraints_;
  const TracedLaunch& first_;
  std::vector<std::size_t> varied_; // arguments
};

} // namespace gputest::memory
