// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The expected outputs of a test case, as far as the case or an oracle gives them.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/plan/oracles.h"

#include <string>
#include <vector>

namespace gputest::runtime {

// One output that a case looks at.
struct ExpectedOutput {
  struct Right {
    Bytes bytes;
    std::string oracle; // "the test case", "the reference function"
  };

  std::size_t position = 0;
  std::vector<Right> right; // all must hold; empty: there is no oracle
  // The contents that runs of the original left here, each once. They were found right, so the same
  // bytes need no closer look. Without an oracle, nothing else is there to compare with. Each
  // scalar must then be close to that of one of these contents, or lie between two.
  std::vector<Bytes> originals;
};

// Returns the outputs of `test_case`, which has not been launched, with what is expected of them.
// With a property, that is all outputs. Runs the reference function, if there is one. The caller
// adds `originals`.
std::vector<ExpectedOutput> expected_outputs(const BoundCase& test_case, const Oracles& oracles);

// Returns whether any of the outputs has an oracle.
bool has_oracle(const std::vector<ExpectedOutput>& outputs);

// Adds what a run of the original left. Returns whether earlier runs left the same.
bool add_original(ExpectedOutput& output, std::span<const std::byte> bytes);

// Returns what is wrong with `actual`; empty: nothing.
std::string judge(const ExpectedOutput& output, const BoundCase& test_case,
                  std::span<const std::byte> actual);

// As judge(), where `actual` is from mutants.cl without an active mutant, and output.originals from
// the author's text. Compilers may fuse two operations in one program and not in the other, so
// floating-point numbers may differ by a thousandth of the largest.
std::string judge_unmutated(const ExpectedOutput& output, const BoundCase& test_case,
                            std::span<const std::byte> actual);

} // namespace gputest::runtime
