// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files in memory that processes share.
#pragma once

#include "process/descriptor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gputest::process {

// Makes a file of zeros, and returns its descriptor; none: errno says why. `name`: for people who
// look at /proc.
Descriptor memory_file(const char* name, std::size_t size) noexcept;

class MemoryFile {
public:
  // Makes a file of zeros. This and all below throw std::runtime_error with the reason.
  explicit MemoryFile(const char* name, std::size_t size = 0);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  int descriptor() const { return file_.number(); }
  std::size_t size() const; // that another process may have changed
  // Changes the size, and makes all bytes 0.
  void clear(std::size_t size);
  // The file as memory, until the next clear().
  std::span<std::byte> map();

  void write_at(std::size_t offset, std::span<const std::byte> bytes) const;
  void read_at(std::size_t offset, std::span<std::byte> bytes) const;
  std::string text() const; // all of it

private:
  void unmap();

  Descriptor file_;
  std::span<std::byte> mapped_{};
};

} // namespace gputest::process
