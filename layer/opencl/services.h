// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects that everything in the layer shares.
#pragma once

#include "layer/instrumentation/settings.h"
#include "layer/instrumentation/trials.h"
#include "layer/opencl/capture.h"
#include "layer/opencl/kernel_memory.h"
#include "layer/opencl/memory_names.h"
#include "layer/opencl/pipe_memory.h"
#include "layer/opencl/simulator.h"
#include "layer/opencl/svm_memory.h"
#include "layer/run_log.h"
#include "layer/sources/source_names.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace gputest::layer {

struct Services {
  explicit Services(Settings given)
      : settings(std::move(given)), log(settings.run_folder),
        names(settings.kernel_files, settings.host_files) {
    if (settings.measure_row->captures)
      capture.emplace(log, settings);
    if (!settings.trials.empty())
      trials.emplace(log, settings);
    if (settings.simulator)
      simulator.emplace(*settings.simulator, settings.measure_row->checks, log);
  }

  Settings settings;
  RunLog log;
  SourceNames names;
  KernelMemory kernel_memory;
  SvmMemory svm;
  PipeMemory pipes;
  MemoryNames memory; // filled if pieces read back are kept
  std::optional<Capture> capture;
  std::optional<Trials> trials;
  std::optional<Simulator> simulator;
  std::atomic<unsigned> programs = 0; // numbers of programs in the log

  // Returns the number of launches of kernels with this label.
  std::atomic<std::uint64_t>& launches(const std::string& label) {
    const std::lock_guard lock(mutex);
    return counts[label];
  }

private:
  std::mutex mutex;
  std::map<std::string, std::atomic<std::uint64_t>> counts;
};

} // namespace gputest::layer
