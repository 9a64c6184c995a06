// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that kernels give to memory. With them, reports show what is read back with its name
// and type.
#pragma once

#include "layer/opencl/implementation.h"
#include "model/type.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace gputest::layer {

struct NamedMemory {
  std::string argument; // "<stem>.<kernel>: <argument>", of the last launch that had it
  model::Type element;
};

class MemoryNames {
public:
  void set(cl_mem memory, NamedMemory name) {
    const std::lock_guard lock(mutex_);
    names_[memory] = std::move(name);
  }

  std::optional<NamedMemory> find(cl_mem memory) {
    const std::lock_guard lock(mutex_);
    const auto known = names_.find(memory);
    return known == names_.end() ? std::nullopt : std::optional(known->second);
  }

private:
  std::mutex mutex_;
  std::map<cl_mem, NamedMemory> names_;
};

} // namespace gputest::layer
