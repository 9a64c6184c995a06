// What a test case's outputs should be, as far as anybody says so.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/plan/oracles.h"

#include <string>
#include <vector>

namespace gputest::runtime {

// One output a case looks at.
struct ExpectedOutput {
  struct Right {
    Bytes bytes;
    std::string oracle; // "the test case", "the reference function"
  };

  std::size_t position = 0;
  std::vector<Right> right; // all must hold; empty: there is no oracle
  // What the original left here in its runs, each once. They have been found right, so that who
  // leaves the same bytes needs no closer look. Without an oracle they are all there is to compare
  // with: each scalar must be close to that of one of them, or between two.
  std::vector<Bytes> originals;
};

// The outputs of `test_case` (before any launch) with what is expected, with a property all of
// them; `originals` are the caller's to add. Runs the reference function, if there is one.
std::vector<ExpectedOutput> expected_outputs(const BoundCase& test_case, const Oracles& oracles);

// Whether any of the outputs has an oracle.
bool has_oracle(const std::vector<ExpectedOutput>& outputs);

// Adds what a run of the original left; returns whether it is what earlier runs left.
bool add_original(ExpectedOutput& output, std::span<const std::byte> bytes);

// What is wrong with `actual`; empty: nothing.
std::string judge(const ExpectedOutput& output, const BoundCase& test_case,
                  std::span<const std::byte> actual);

// What is wrong with `actual`, of a run of mutants.cl without a mutant, when the author's text has
// left output.originals; empty: nothing. Compilers may make one operation of two in one program and
// not in the other, so that floating point numbers may differ by a thousandth of the largest.
std::string judge_unmutated(const ExpectedOutput& output, const BoundCase& test_case,
                            std::span<const std::byte> actual);

} // namespace gputest::runtime
