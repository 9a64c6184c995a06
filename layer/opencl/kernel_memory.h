// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the memory that kernels may have changed. Other memory that a program maps for reading
// holds no kernel's result, and may hold anything.
#pragma once

#include "layer/opencl/implementation.h"

#include <mutex>
#include <set>

namespace gputest::layer {

class KernelMemory {
public:
  // Called when the memory becomes a kernel's argument, or something is copied to it.
  void mark(cl_mem memory) {
    const std::lock_guard lock(mutex_);
    marked_.insert(memory);
  }

  bool is_marked(cl_mem memory) {
    const std::lock_guard lock(mutex_);
    return marked_.contains(memory);
  }

private:
  std::mutex mutex_;
  std::set<cl_mem> marked_;
};

// Replaces the entries that copy memory or make sub-buffers. `memory` must outlive the process's
// calls. Called once in a process.
void watch_copies(cl_icd_dispatch& dispatch, KernelMemory& memory);

} // namespace gputest::layer
