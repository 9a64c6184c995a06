// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of all kinds of machines and all analyses.
#pragma once

#include "runtime/plan/analysis.h"

namespace gputest::runtime {

Registry registry();

} // namespace gputest::runtime
