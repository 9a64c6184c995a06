// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the programs of gputest watch, one after the other.
#pragma once

#include "process/end_signals.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// The user has ended the watch. What ran has ended, with all that it had started.
class Ended {};

// Runs words[0], looked up in PATH, in a process group of its own and without input. `output`: a
// file for standard output; empty: that of this process. Returns whether it succeeded. Throws Ended
// on a signal, and CommandError where it cannot be started.
bool run_step(const std::vector<std::string>& words, const process::EndSignals& signals,
              const std::filesystem::path& output = {});

} // namespace gputest::driver
