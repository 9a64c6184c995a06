// What a kernel's inputs must be, found by running it where nobody says.
#pragma once

#include "testgen/fuzzer.h"

#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct Inferred {
  std::vector<std::optional<Formula>> sizes; // by argument: elements of buffers and __local memory
  std::vector<std::size_t> unknown; // memory whose size is none of the formulas: contents decide it
};

// Runs launches with memory that begins with one element and grows to what is accessed. Throws what
// the worker throws; so does explain(). What was known by then is in the result.
void infer_sizes(const Target& target, const Constraints& constraints, Mutator& mutator,
                 Fuzzer& fuzzer, Worker& worker, Inferred& inferred);

// A finding that only some inputs have.
struct Guard {
  simulator::Finding finding;
  std::string condition{}; // under which it happens; empty: none is known
  bool always = false;     // all inputs that were looked at have it
};

// Runs each finding's input with other sizes and scalars, and says what those with the finding have
// in common.
void explain(const Target& target, const Constraints& constraints, Mutator& mutator, Fuzzer& fuzzer,
             Worker& worker, std::vector<Guard>& guards);

} // namespace gputest::testgen
