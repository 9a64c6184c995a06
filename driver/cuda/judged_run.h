// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single run of a CUDA program, which the oracle judges.
#pragma once

#include "driver/cuda/run.h"
#include "program/child.h"
#include "program/oracle.h"

#include <functional>

namespace gputest::driver {

// Runs the program that `prepare` returns until others leave it and its simulator alone
// (process/undisturbed.h). What it prints is printed when it has ended if the oracle looks at it.
// Throws process::Disturbed.
program::JudgedRun run_judged(const CudaRun& run,
                              const std::function<program::ChildSettings()>& prepare);

} // namespace gputest::driver
