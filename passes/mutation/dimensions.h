// How many dimensions of NDRanges kernels use.
#pragma once

#include "frontend/flat_source.h"
#include "frontend/parse.h"
#include <map>

namespace gputest::passes::mutation {

// 1, 2 or 3: the most that a function reached from `kernel` asks about by number, as
// get_global_id(1) does.
unsigned dimensions_of(const Tree& tree, const clang::FunctionDecl& kernel);

// The most dimensions, for each function, of the kernels that reach it; 1 if none does.
std::map<const clang::FunctionDecl*, unsigned> dimensions_used(const Tree& tree);

} // namespace gputest::passes::mutation
