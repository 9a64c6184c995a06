// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who calls whom within a file.
#pragma once

#include "frontend/parse.h"

#include <set>
#include <vector>

namespace gputest::passes {

// `kernel` and the functions that it names, at any depth, in order of definition: those that it
// calls and those whose addresses it takes, also in variables of the file. A wrapper kernel comes
// first.
std::vector<const clang::FunctionDecl*> reachable_from(const frontend::Tree& tree,
                                                       const clang::FunctionDecl& kernel);

// The functions of tree.functions() that a kernel of the file may reach; all of them if the file
// has no kernel. The others cannot run, so a pass need not look at them. `of_program`: the file of
// a CUDA program, of which other files may call functions that are visible to them.
std::set<const clang::FunctionDecl*> reached_functions(const frontend::Tree& tree,
                                                       bool of_program = false);

// What belongs to no kernel: blocks at program scope, and the functions that these name at any
// depth. There is no state in which they could record or look up something, so passes leave them as
// they are.
struct OfNoKernel {
  std::set<const clang::FunctionDecl*> functions; // canonical declarations
  std::vector<model::NotInstrumented> entries;    // the blocks and those functions, for reports
};
OfNoKernel of_no_kernel(const frontend::Tree& tree);

} // namespace gputest::passes
