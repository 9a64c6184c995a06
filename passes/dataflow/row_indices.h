// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds indices of the form `a * <argument> + get_global_id(d)`: an argument gives the length of a
// row, and the launch gives the number of its elements that are used.
#pragma once

#include "frontend/parse.h"
#include "model/schedules/sites.h"

#include <vector>

namespace gputest::passes {

// Returns the row indices among the kernels' subscripts, each pair of argument and dimension once
// for a kernel. Subscripts in helper functions are not followed, and neither are variables that are
// assigned after their declaration.
std::vector<model::RowIndex> row_indices(const frontend::Tree& tree);

} // namespace gputest::passes
