// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps launches of OpenCL programs for the model of a GPU, as `gputest capture` does.
#pragma once

#include "program/memory.h"
#include "program/opencl/run_folder.h"

#include <filesystem>
#include <string>

namespace gputest::program {

class OpenClLaunches : public LaunchKeeper {
public:
  // `layer`: what the program runs with, beside its own environment. `own`: the gputest command.
  OpenClLaunches(RunSettings settings, std::filesystem::path run_folder,
                 std::map<std::string, std::string> layer, std::filesystem::path own)
      : settings_(std::move(settings)), run_folder_(std::move(run_folder)),
        layer_(std::move(layer)), own_(std::move(own)) {}

  ChildResult run(const ChildSettings& child, const MemorySettings& settings) override;
  ProgramLaunches read(const JudgedRun& run, const std::filesystem::path& folder) override;

private:
  RunSettings settings_;
  std::filesystem::path run_folder_;
  std::map<std::string, std::string> layer_;
  std::filesystem::path own_;
};

} // namespace gputest::program
