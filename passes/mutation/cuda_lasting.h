// What device code keeps beside the variables of its file, and nobody outside of it can put back.
#pragma once

#include "passes/mutation/cuda_text.h"

#include <string>

namespace gputest::passes::mutation {

// The first of it, "the static variable 'next' in count()" or "memory that build()
// allocates"; or nothing.
std::string lasting_state(const Tree& tree);

} // namespace gputest::passes::mutation
