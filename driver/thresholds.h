// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads --threshold, for the subcommands harness and report.
#pragma once

#include "model/coverage.h"

#include <string>
#include <vector>

namespace gputest::driver {

// Reads "branch=100", "loop=75.5": a criterion's name and 0 to 100 percent. Throws CommandError.
model::Thresholds parse_thresholds(const std::vector<std::string>& specifications);

} // namespace gputest::driver
