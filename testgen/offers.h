// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requirements on elements that a kernel seems to need, offered to the user.
#pragma once

#include "testgen/session.h"

#include <string>
#include <vector>

namespace gputest::testgen {

// Looks in the source for buffers whose neighbours are bounds of a loop, `first[i]` and
// `first[i + 1]`, and for elements that are indices of other buffers. Then launches inputs that
// obey requirements on these, and inputs that obey all but one. Returns the requirements without
// which the kernel is at fault, and with which it is not, as REQUIRE takes them. `settings`: those
// that hold already. Throws what the worker throws.
std::vector<std::string> offered_requirements(const Target& target, const InputSettings& settings,
                                              Worker& worker, Deadline until);

// Returns the same as lines that say so.
std::vector<std::string> offers_for_users(const Target& target, const InputSettings& settings,
                                          Worker& worker, Deadline until);

} // namespace gputest::testgen
