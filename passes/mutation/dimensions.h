#pragma once

#include "frontend/flat_source.h"

namespace gputest::passes::mutation {

// How many dimensions of the NDRange a file asks about: 3 where it has get_global_id(2), at
// least 1.
unsigned dimensions_used(const FlatSource& source);

} // namespace gputest::passes::mutation
