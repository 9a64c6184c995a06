// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells how many dimensions of NDRanges kernels use.
#pragma once

#include "frontend/flat_source.h"
#include "frontend/parse.h"
#include <map>

namespace gputest::passes::mutation {

// Returns 1, 2 or 3: get_global_id(1), in `kernel` or a function that it reaches, means 2.
unsigned dimensions_of(const frontend::Tree& tree, const clang::FunctionDecl& kernel);

// Returns for each function the most dimensions of the kernels that reach it; 1 if none does.
std::map<const clang::FunctionDecl*, unsigned> dimensions_used(const frontend::Tree& tree);

} // namespace gputest::passes::mutation
