// Where a mutant's expression would have another value: weak mutation (Howden, IEEE TSE 1982).
//
// differences.cl is the original. Beside each binary operator that mutants swap for another it
// computes what these would, and sets one bit for each whose value differs, or that would divide by
// zero. So a difference is an outcome like one of coverage: launches record it, a solver makes
// inputs for it, and where no values satisfy its condition the mutant is equivalent.
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

// The file that the comparison of outcome bit n is in, at line n + 1, for whoever traces.
inline constexpr const char* kDifferencesFile = "gputest/differences";

struct Differences {
  struct Bit {
    unsigned bit = 0;
    // The mutant does the original's accesses and calls and no others, with the original's types,
    // and its value is no floating-point number, which compilers may fuse with others: where it
    // never differs, it is equivalent.
    bool proves = false;
  };

  std::string text{};             // for the simulator: it records into the state buffer
  std::map<unsigned, Bit> bits{}; // by number of the mutant: those that it compares
  unsigned words = 0;             // of bits, behind the state buffer's header
};

// `sites`: all of the tree, by node. `is_wanted`: of a number, whether it is to be compared.
Differences show_differences(const Tree& tree,
                             const std::map<const clang::Stmt*, MutationSite>& sites,
                             const std::function<bool(unsigned)>& is_wanted);

// One operator of a CUDA file and its mutants, by number. Its operands have the same types in all
// that is made of the function.
struct ComparedOperator {
  const clang::BinaryOperator* node = nullptr;
  std::vector<std::pair<const Proposal*, unsigned>> mutants{};
};

// The state is a variable of the device. `operators`: from the outside in.
Differences show_differences(const Tree& tree, const std::vector<ComparedOperator>& operators);

} // namespace gputest::passes::mutation
