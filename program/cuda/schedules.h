// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what the simulator has found by repeating launches of a CUDA program under other orders of
// their blocks (simulator/cuda/block_orders.h).
#pragma once

#include "program/cuda/run.h"
#include "program/oracle.h"
#include "program/schedules.h"

#include <filesystem>

namespace gputest::program {

// `lines`: the file that the program has written (GPUTEST_CUDA_FINDINGS). `root`: the folder of
// relative names of files. Throws RunRefused where nothing was launched.
ProgramSchedules cuda_schedules(const CudaRun& run, const ScheduleSettings& settings,
                                const std::filesystem::path& lines,
                                const std::filesystem::path& root, const JudgedRun& judged);

} // namespace gputest::program
