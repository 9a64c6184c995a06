// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps launches of CUDA programs for the model of a GPU. The simulator writes them.
#pragma once

#include "program/memory.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace gputest::program {

class CudaLaunches : public LaunchKeeper {
public:
  // Runs the program with variables beside its own environment. `prepare` returns them. It is
  // called before each run, of which there are several if others end the program.
  using Prepare = std::function<std::map<std::string, std::string>()>;
  using Run = std::function<ChildResult(const ChildSettings& child, const Prepare& prepare)>;

  // `records`: a folder for what the simulator writes, which is made and removed.
  CudaLaunches(Run run, std::filesystem::path records, std::filesystem::path source_root)
      : run_(std::move(run)), records_(std::move(records)), root_(std::move(source_root)) {}

  ChildResult run(const ChildSettings& child, const MemorySettings& settings) override;
  ProgramLaunches read(const JudgedRun& run, const std::filesystem::path& folder) override;

private:
  Run run_;
  std::filesystem::path records_, root_;
  std::size_t launches_ = 1; // of each kernel
};

} // namespace gputest::program
