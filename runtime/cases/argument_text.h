// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes a case's launch and arguments, and what the kernel left of them, for --verbose.
#pragma once

#include "runtime/cases/bound_case.h"

#include <cstddef>
#include <span>
#include <string>

namespace gputest::runtime {

// Returns the first few elements: "1, 2.5, nan", "(1, 2, 3), (4, 5, 6)", "{at.s0: 1, at.s1: 2, n:
// 3}". The text ends with " …" where there are more.
std::string elements_text(const model::Type& element, std::span<const std::byte> elements);

// Returns the sizes and, for each argument, its type and value, a line each.
std::string text_before(const BoundCase& test_case);

// Returns each buffer and image as the launch left it, a line each. `before` and `after` differ
// only in the memory.
std::string text_after(const BoundCase& before, const BoundCase& after);

} // namespace gputest::runtime
