// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of findings (model/checks/finding.h): work-items and places.
#pragma once

#include "ir/kernel.h"
#include "model/checks/finding.h"
#include "simulator/memory/ndrange.h"

#include <string>

namespace gputest::simulator {

using model::Finding;
using model::place_text;

// Returns "work-item (3, 0, 0) of group (1, 0, 0)", with `dimensions` numbers each.
std::string text_of(const WorkItem& item, unsigned dimensions);

// Returns "(1, 0)".
std::string text_of(const std::array<std::uint64_t, 3>& place, unsigned dimensions);

} // namespace gputest::simulator
