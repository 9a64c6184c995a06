// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of CUDA programs of which others end some, or the simulators of some: these are repeated.
#pragma once

#include "driver/cuda/run.h"
#include "program/child.h"
#include "program/oracle.h"

#include <filesystem>
#include <functional>
#include <string>

namespace gputest::driver {

// Makes the program say in this file if others end its simulator. Removes the file.
void watch_simulator(program::ChildSettings& child, const std::filesystem::path& file);

// Returns whether others have ended the program, or its simulator as the file says.
bool is_disturbed(const program::ChildResult& result, const std::filesystem::path& file);

// Returns how it was disturbed: "killed by SIGKILL", "its simulator was ended by SIGKILL".
std::string disturbance(const program::ChildResult& result, const std::filesystem::path& file);

// Runs the program that `prepare` returns until others leave it alone. `file`: for
// watch_simulator(). Throws CommandError if they have ended it program::kChildTries times.
program::ChildResult run_undisturbed(const std::string& name, const std::filesystem::path& file,
                                     const std::function<program::ChildSettings()>& prepare);

// The same for a single run, which the oracle judges. What it prints is printed when it has ended
// if the oracle looks at it.
program::JudgedRun run_judged(const CudaRun& run,
                              const std::function<program::ChildSettings()>& prepare);

} // namespace gputest::driver
