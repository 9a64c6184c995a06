// Who calls whom within a file.
#pragma once

#include "frontend/parse.h"

#include <vector>

namespace gputest::passes {

// `kernel` and the functions that it calls, at any depth, in order of definition. A wrapper kernel
// comes first.
std::vector<const clang::FunctionDecl*> reachable_from(const Tree& tree,
                                                       const clang::FunctionDecl& kernel);

} // namespace gputest::passes
