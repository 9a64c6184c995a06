// Files in memory that a kernel's process shares with the one that started it.
#pragma once

#include "memory/model/trace.h"

#include <cstddef>
#include <span>
#include <string>

namespace gputest::memory {

class MemoryFile {
public:
  // Zeros. Throws SimulatorFailure.
  explicit MemoryFile(std::size_t size);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  int descriptor() const { return descriptor_; }
  // Throw SimulatorFailure.
  void write_at(std::size_t offset, std::span<const std::byte> bytes);
  void read_at(std::size_t offset, std::span<std::byte> bytes) const;

private:
  int descriptor_;
};

// What the kernel's process found: what was wrong, or the warps of the trace.
void write_answer(MemoryFile& file, const std::string& problem, const LaunchTrace& trace);
std::string read_answer(const MemoryFile& file, LaunchTrace& trace);

} // namespace gputest::memory
