// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds state of device code that outlives a launch and that the host cannot reset.
#pragma once

#include "passes/mutation/cuda_text.h"

#include <string>

namespace gputest::passes::mutation {

// Returns the first such state, "the static variable 'next' in count()" or "memory that build()
// allocates"; empty if there is none.
std::string lasting_state(const frontend::Tree& tree);

} // namespace gputest::passes::mutation
