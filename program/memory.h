// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program on the model of a GPU: it runs once, and `gputest memory` looks at those of each
// kernel's launches that have most work-items. The engine here is the same for
// every kind of program.
#pragma once

#include "model/launches/kept_launch.h"
#include "model/memory/results.h"
#include "program/not_measured.h"
#include "program/oracle.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::program {

class TestedProgram;

struct MemorySettings {
  std::size_t launches = 1;                   // of each kernel, with different contents
  std::size_t max_bytes = 0;                  // launches with more in their buffers are left out
  model::Caches caches = model::Caches::Cold; // when a launch begins
  std::vector<std::string> options{};         // of `gputest memory`
};

struct KeptKernel {
  std::string folder; // "<stem>.<kernel>", different for each
  // Of `gputest memory`: they name the kernel and its launches, those with most work-items first.
  std::vector<std::string> words{};
  std::size_t launches = 0;
};

struct ProgramLaunches {
  std::vector<KeptKernel> kernels{}; // that have a case
  std::vector<NotMeasured> not_measured{};
  std::optional<std::string> unwritten{}; // why not all launches could be kept
  std::string nothing{};                  // why there is no launch, where there is none
  bool skipped = false;                   // there is none, because there is no device
};

class LaunchKeeper {
public:
  LaunchKeeper() = default;
  LaunchKeeper(const LaunchKeeper&) = delete;
  LaunchKeeper& operator=(const LaunchKeeper&) = delete;
  virtual ~LaunchKeeper() = default;

  // Runs the program. It is `child` but for its environment. If others end it, it runs again.
  // Throws process::Disturbed.
  virtual ChildResult run(const ChildSettings& child, const MemorySettings& settings) = 0;
  // Writes what the run has kept to the folder.
  virtual ProgramLaunches read(const JudgedRun& run, const std::filesystem::path& folder) = 0;
};

struct KernelMemory {
  std::string folder;
  model::MemoryResults results;
};

struct MemoryRun {
  JudgedRun judged;
  ProgramLaunches recorded{};
  std::vector<KernelMemory> kernels{};        // those whose launches take most cycles first
  std::vector<std::filesystem::path> files{}; // memory.json, in the same order
};

// Runs the program. Writes its launches to <output>/launches, and <output>/<folder>/memory.json and
// memory/ for each kernel. Removes those of an earlier run first.
MemoryRun run_memory(TestedProgram& program, LaunchKeeper& keeper, const MemorySettings& settings);

} // namespace gputest::program
