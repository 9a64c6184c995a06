// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records where a mutant's expression would have another value: weak mutation (Howden, IEEE TSE
// 1982).
//
// differences.cl is the original. Beside each binary operator and assignment that mutants swap, it
// also computes the mutants' values, and sets one bit for each mutant whose value differs or that
// would divide by zero. A constant, an index or a sign that mutants change always differs, so the
// value of the expression around it is compared (outer_values.h). So a difference is an outcome
// like one of coverage: launches record it, and a solver makes inputs for it. If no values satisfy
// its condition, the mutant is equivalent.
#pragma once

#include "frontend/parse.h"

#include <clang/AST/Expr.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gputest::passes::mutation {

struct MutationSite;
struct Proposal;

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

// `sites`: all sites of the tree, by node. `is_wanted`: whether the mutant with this number is to
// be compared.
Differences show_differences(const frontend::Tree& tree,
                             const std::map<const clang::Stmt*, MutationSite>& sites,
                             const std::function<bool(unsigned)>& is_wanted);

// One operator of a CUDA file and its mutants, with their numbers. Its operands have the same types
// in all instances of the function.
struct ComparedOperator {
  const clang::BinaryOperator* node = nullptr;
  std::vector<std::pair<const Proposal*, unsigned>> mutants{};
};

// The same for CUDA: the state is a __device__ variable. `operators`: from the outside in.
Differences show_differences(const frontend::Tree& tree,
                             const std::vector<ComparedOperator>& operators);

} // namespace gputest::passes::mutation
