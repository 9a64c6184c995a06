// Indices of the form `a * <argument> + get_global_id(d)`: rows whose length an argument says, and
// whose elements the launch counts.
#pragma once

#include "frontend/parse.h"
#include "model/schedule_sites.h"

#include <vector>

namespace gputest::passes {

// Of subscripts in kernels; what goes through helper functions, or through a variable that gets
// more than its initial value, is not followed. Each pair of argument and dimension once.
std::vector<model::RowIndex> row_indices(const Tree& tree);

} // namespace gputest::passes
