// Indices of the form `a * <argument> + get_global_id(d)`: an argument gives the length of rows,
// and the launch gives the number of their elements.
#pragma once

#include "frontend/parse.h"
#include "model/schedules/sites.h"

#include <vector>

namespace gputest::passes {

// The row indices among a kernel's subscripts, with each pair of argument and dimension once.
// Subscripts in helper functions are not followed, and neither are variables that are assigned
// after their declaration.
std::vector<model::RowIndex> row_indices(const Tree& tree);

} // namespace gputest::passes
