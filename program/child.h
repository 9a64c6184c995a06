// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program under test as a child process (process/children.h).
#pragma once

#include "process/children.h"

namespace gputest::program {

using process::Children;
using process::ChildSettings;
using process::repeatable_input;
using process::run_child;
using ChildResult = process::Ended;

// A program exits with this code if there is no device for it.
constexpr int kSkipped = 77;

} // namespace gputest::program
