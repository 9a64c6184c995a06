// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the pipes that the layer has made, because devices without pipes make none. Each is a
// buffer of the OpenCL implementation's. Its packets are followed by two words of 8 bytes, which
// count those read and written (runtime/cases/argument.h).
#pragma once

#include "layer/opencl/implementation.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

namespace gputest::layer {

constexpr std::size_t kBytesOfPacketCounts = 16;
constexpr cl_uint kMaxPacketSize = 1 << 16; // bytes

class PipeMemory {
public:
  struct Pipe {
    cl_uint packet_size = 0, packets = 0; // bytes; the most
    cl_mem_flags flags = 0;               // as they were given to clCreatePipe()

    std::size_t bytes() const { return std::size_t{packet_size} * packets; } // without the counts
  };

  void made(cl_mem pipe, const Pipe& what) {
    const std::lock_guard lock(mutex_);
    pipes_[pipe] = what;
  }

  void freed(cl_mem pipe) {
    const std::lock_guard lock(mutex_);
    pipes_.erase(pipe);
  }

  // Returns nullopt for what is none of these pipes.
  std::optional<Pipe> find(cl_mem memory) {
    const std::lock_guard lock(mutex_);
    const auto known = pipes_.find(memory);
    return known == pipes_.end() ? std::nullopt : std::optional(known->second);
  }

private:
  std::mutex mutex_;
  std::map<cl_mem, Pipe> pipes_;
};

} // namespace gputest::layer
