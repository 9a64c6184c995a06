// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The settings that analyses have in common that run a program repeatedly.
#pragma once

#include "model/settings.h"
#include "program/kind.h"

namespace gputest::driver {

// Throws CommandError.
void check_repeated_runs(const model::Settings& settings);

program::RepeatedRuns repeated_runs(const program::TestedProgram& program,
                                    const model::Settings& settings);

} // namespace gputest::driver
