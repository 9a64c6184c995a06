// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Infers requirements of a kernel's inputs by running the kernel.
#pragma once

#include "testgen/input_search.h"

#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct Inferred {
  std::vector<std::optional<Formula>> sizes; // by argument: elements of a buffer or of __local
                                             // memory
  std::vector<std::size_t> unknown; // arguments whose size no formula describes: contents determine
                                    // it
};

// Infers sizes of memory from launches whose memory begins with one element and grows to what is
// accessed. Throws what the worker throws; `inferred` then has what was known.
void infer_sizes(const Target& target, const Constraints& constraints, Mutator& mutator,
                 InputSearch& search, Worker& worker, Inferred& inferred);

// Takes back the sizes that the input does not have: what is rarely reached may need more.
void keep_sizes_of(const Target& target, const Input& input, Inferred& inferred);

// A finding that only some inputs have.
struct Guard {
  simulator::Finding finding;
  std::string condition{}; // when it happens; empty: not known
  bool always = false;     // all tried inputs have it
};

// Adds a guard for each of the search's findings. Runs the finding's input with other sizes and
// scalars, and describes what the inputs with the finding have in common. A condition holds for all
// inputs with the finding that were seen and for no other, and inputs around its limits have not
// refuted it. Throws what the worker throws; `guards` then has what was known.
void explain(const Target& target, const Constraints& constraints, Mutator& mutator,
             InputSearch& search, Worker& worker, std::vector<Guard>& guards);

} // namespace gputest::testgen
