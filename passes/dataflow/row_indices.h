// Indices of the form `a * <argument> + get_global_id(d)`: rows whose length an argument says, and
// whose elements the launch counts.
#pragma once

#include "frontend/parse.h"
#include "model/schedule_sites.h"

#include <vector>

namespace gputest::passes {

// The row indices among a kernel's subscripts, each pair of argument and dimension once. Subscripts
// in helper functions, and variables that are assigned after their declaration, are not followed.
std::vector<model::RowIndex> row_indices(const Tree& tree);

} // namespace gputest::passes
