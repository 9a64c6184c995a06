// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launches of an OpenCL program in the simulator, with what its checks found.
#pragma once

#include "program/check.h"
#include "program/opencl/run_folder.h"

#include <vector>

namespace gputest::program {

// Launches of processes that died before they could say what they launch are left out.
std::vector<CheckedLaunch> checked_launches(const RunRecords& records);

} // namespace gputest::program
