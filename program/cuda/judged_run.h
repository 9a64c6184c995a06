// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single run of a CUDA program, which the oracle judges.
#pragma once

#include "program/child.h"
#include "program/cuda/run.h"
#include "program/oracle.h"

#include <functional>

namespace gputest::program {

// Runs the program that `prepare` returns until others leave it and its simulator alone
// (process/undisturbed.h). What it prints is printed when it has ended if the oracle looks at it.
// Throws process::Disturbed.
JudgedRun run_judged(const CudaRun& run, const std::function<ChildSettings()>& prepare);

} // namespace gputest::program
