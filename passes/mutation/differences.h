// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records where a mutant's expression would have another value: weak mutation (Howden, IEEE TSE
// 1982).
//
// differences.cl is the original. Beside each binary operator and assignment that mutants swap, it
// also computes the mutants' values, and sets one bit for each mutant whose value differs or that
// would divide by zero. An assignment that a mutant leaves out is compared with the value before. A
// constant, an index or a sign that mutants change always differs, so the value of the expression
// around it is compared (outer_values.h). So a difference is an outcome like one of coverage:
// launches record it, and a solver makes inputs for it. If no values satisfy its condition, the
// mutant is equivalent.
#pragma once

#include "frontend/parse.h"
#include "passes/mutation/outer_values.h"

#include <clang/AST/Decl.h>

#include <map>
#include <string>
#include <vector>

namespace gputest::passes::mutation {

// The file name that traces show for comparisons: outcome bit n is at line n + 1.
inline constexpr const char* kDifferencesFile = "gputest/differences";

struct Differences {
  struct Bit {
    unsigned bit = 0;
    // If the mutant never differs, it is equivalent. It does the original's accesses and calls and
    // no others, with the original's types, and its value is no floating-point number, because
    // compilers may fuse floating-point operations.
    bool proves = false;
  };

  std::string text{};             // for the simulator; records into the state buffer
  std::map<unsigned, Bit> bits{}; // by number of the mutant, for those that are compared
  unsigned words = 0;             // of bits, after the state buffer's header
};

// `mutants`: those to compare, with their numbers.
Differences show_differences(const frontend::Tree& tree, const MutantsOfNodes& mutants);

// The same for CUDA: the state is a __device__ variable. `functions`: those that are looked at. An
// operand has one type in all that is made of such a function.
Differences show_differences(const frontend::Tree& tree, const MutantsOfNodes& mutants,
                             const std::vector<const clang::FunctionDecl*>& functions);

} // namespace gputest::passes::mutation
