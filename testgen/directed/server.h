// The process that answers the director: director.h.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/target.h"

namespace gputest::testgen {

// Answers questions until the other end of the socket is closed. To be called in a process that
// ends with it, and leads a group of its own.
void answer_questions(const Target& target, const Constraints& constraints, int socket);

} // namespace gputest::testgen
