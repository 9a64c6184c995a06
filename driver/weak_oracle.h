// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the mutants whose wrong results a program reads back and does not notice.
#pragma once

#include "model/mutation/mutation.h"

#include <span>

namespace gputest::driver {

// Prints them to standard output, if there are any. Their detail begins with program::kWeakOracle.
void print_weak(std::span<const model::Mutation> mutations);

} // namespace gputest::driver
