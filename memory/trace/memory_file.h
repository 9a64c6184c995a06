// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files in memory that the kernel's process shares with its parent.
#pragma once

#include "memory/model/trace.h"

#include <cstddef>
#include <span>
#include <string>

namespace gputest::memory {

class MemoryFile {
public:
  // Makes a file of zeros. Throws SimulatorFailure.
  explicit MemoryFile(std::size_t size);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  int descriptor() const { return descriptor_; }
  // These throw SimulatorFailure.
  void write_at(std::size_t offset, std::span<const std::byte> bytes);
  void read_at(std::size_t offset, std::span<std::byte> bytes) const;

private:
  int descriptor_;
};

// The answer of the kernel's process: a problem, or the warps of the trace if `problem` is empty.
void write_answer(MemoryFile& file, const std::string& problem, const LaunchTrace& trace);
std::string read_answer(const MemoryFile& file, LaunchTrace& trace);

} // namespace gputest::memory
