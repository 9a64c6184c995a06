// A case and the exact schedule of its warps as a file, which takes the same cycles again:
// docs/formats.md, "Schedules of warps".
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
  std::string case_file{}; // of a generated case, beside the replay; empty: one of the user's
  std::string gpu_digest, launch_digest; // of all the GPU's numbers; of what its warps do
  WarpChoice choice;                     // that made the schedule
  Cycles cycles = 0;
  std::vector<std::uint32_t> choices; // RunCount::choices
};

Replay replay_of(const Gpu& gpu, const LaunchTrace& trace, const CaseReport& report);

nlohmann::ordered_json to_json(const Replay& replay, const CaseReport& report);

// Throws model::FormatError.
Replay read_replay(const std::filesystem::path& file);

// Throws model::FormatError naming `file` and what differs where the schedule is one of another
// kernel, GPU or launch. The caller looks for the case.
void check_replay(const Replay& replay, const std::string& file, const Gpu& gpu,
                  const LaunchTrace& trace);

} // namespace gputest::memory
