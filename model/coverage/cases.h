// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins what several launches of the same test cases reached.
#pragma once

#include "model/coverage.h"

namespace gputest::model {

// Returns whether both have the same sites in the same order.
bool has_same_sites(const Coverage& a, const Coverage& b);

// Adds `other` to `into`, as merge() does, but cases of one name are one case: an outcome that both
// have seen in it counts once. Where the sites differ, it is not known afterwards what a case of
// both reached.
void merge_by_case(Coverage& into, const Coverage& other);

} // namespace gputest::model
