// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of kinds of programs (program/kind.h). The last row takes every program.
#pragma once

#include "program/kind.h"

#include <span>
#include <string_view>

namespace gputest::driver {

std::span<const program::ProgramKind> program_kinds();
// Returns the row with this name, which must exist.
const program::ProgramKind& kind_named(std::string_view name);

} // namespace gputest::driver
