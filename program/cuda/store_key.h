// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The key of a CUDA program's outcomes in the store.
#pragma once

#include "program/cuda/run.h"

#include <filesystem>
#include <string>

namespace gputest::program {

// Outcomes hold for the same command, device, oracle and TIMEOUT_FACTOR, and for the same contents
// of files: those that the command names, and the program and libraries that have left `records`.
// For the system's files, size and time stand for the contents.
std::string store_key(const CudaRun& run, const std::filesystem::path& records,
                      double timeout_factor);

} // namespace gputest::program
