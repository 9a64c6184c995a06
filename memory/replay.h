// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file with a case and the exact schedule of its warps. A replay takes the same cycles again
// (docs/reference/formats.md, "Schedules of warps").
#pragma once

#include "memory/analysis.h"
#include "memory/model/machine.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gputest::memory {

struct Replay {
  std::string kernel, gpu, test_case;
  std::string case_file{}; // a generated case, in the replay's folder; empty: the case is the
                           // user's
  std::string gpu_digest, launch_digest; // hashes of the GPU's numbers and of the trace
  WarpChoice choice;                     // how the schedule was made
  Cycles cycles = 0;
  std::vector<std::uint32_t> choices; // RunCount::choices
};

Replay replay_of(const Gpu& gpu, const LaunchTrace& trace, const CaseReport& report);

nlohmann::ordered_json to_json(const Replay& replay, const CaseReport& report);

// Throws model::FormatError if the file cannot be read or is invalid.
Replay read_replay(const std::filesystem::path& file);

// Throws model::FormatError with `file` and the difference if the schedule is for another kernel,
// GPU or launch. Finding the case is the caller's task.
void check_replay(const Replay& replay, const std::string& file, const Gpu& gpu,
                  const LaunchTrace& trace);

} // namespace gputest::memory
