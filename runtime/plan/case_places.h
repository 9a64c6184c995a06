// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where test cases stand in their files, for programs that show them, such as editors.
#pragma once

#include "model/json.h"
#include "runtime/cases/case_file.h"

#include <span>

namespace gputest::runtime {

// Returns [{"name": …, "file": …, "line": …}, …]. The line is that of the case's "name", else of
// the file's beginning, 1. A case made from ARGUMENTS has neither file nor line.
model::Json places_of(std::span<const TestCase> cases);

} // namespace gputest::runtime
