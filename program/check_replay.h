// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of a finding of `gputest run --check`, with which `gputest replay` looks for it again
// (docs/reference/formats.md, "Checks").
#pragma once

#include "model/checks/finding.h"
#include "runtime/variants/run_settings.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::program {

struct CheckReplay {
  std::string kind;                   // of the program (ProgramKind::name)
  std::string name, kernel;           // the program's; the label of the kernel
  std::string directory, source_root; // in which it ran; of which names of files are relative
  std::vector<std::string> command{};
  model::Finding finding{};
  std::vector<std::string> checks{};
  // What the kind needs, too. The file says nothing of where the simulator is.
  std::vector<std::string> kernel_files{};
  std::optional<runtime::SimulatedProgram> simulator{};
  std::map<std::string, std::string> environment{};
};

inline constexpr const char* kCheckReplayFormat = "gputest-check-replay-1";
void write_check_replay(const CheckReplay& replay, const std::filesystem::path& file);

// `simulator`: the file of gputest-simulator. Throws model::FormatError.
CheckReplay read_check_replay(const std::filesystem::path& file,
                              const std::filesystem::path& simulator);

} // namespace gputest::program
