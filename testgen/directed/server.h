// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server that answers the director (director.h).
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/inputs/target.h"

#include <atomic>

namespace gputest::testgen {

// Answers questions until the other end of the socket is closed. The calling process must lead a
// process group and exit afterwards. `is_over`: the question is, and what works on it is ended.
void answer_questions(const Target& target, const Constraints& constraints, int socket,
                      const std::atomic<bool>& is_over);

} // namespace gputest::testgen
