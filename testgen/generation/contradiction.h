// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says why no input obeys the requirements.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/inputs/mutator.h"
#include "testgen/inputs/target.h"

#include <string>

namespace gputest::testgen {

// Tries each requirement alone, and returns which of them no input was found to obey: `no input was
// found that obeys REQUIRE "n < 0"`. If there is none: that all together are not obeyed.
std::string contradiction(const Target& target, const Constraints& constraints, std::uint64_t seed);

} // namespace gputest::testgen
