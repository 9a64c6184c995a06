// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a device as a launch found it, at the device's addresses. So pointers in
// structures and in memory mean what they meant to the program.
#pragma once

#include "memory/model/trace.h"
#include "memory/trace/recorder.h"
#include "process/memory_file.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::memory {

struct DeviceMemory {
  struct Allocation {
    std::string name{};
    std::uint64_t address = 0;
    std::vector<std::byte> bytes{};
  };
  // Whether a device of programs has so many bytes at the address.
  static bool has(std::uint64_t address, std::uint64_t size);

  std::vector<Allocation> allocations{};          // by address, apart from each other
  std::map<std::string, std::uint64_t> variables; // addresses of program-scope variables
};

// Copies of the allocations, which a process maps at their addresses.
class DevicePages {
public:
  // Throws std::runtime_error.
  explicit DevicePages(const DeviceMemory& memory);

  // Maps them in this process. Throws InputError if something else is at these addresses.
  void map() const;
  // Appends the bytes as they are now.
  void add_to(std::vector<std::byte>& bytes) const;

private:
  // Pages of neighbouring allocations, which may share one.
  struct Pages {
    std::uint64_t begin = 0, end = 0; // addresses
    std::uint64_t offset = 0;         // in the file
  };
  static std::vector<Pages> pages_of(const DeviceMemory& memory);
  std::uint64_t offset_of(std::uint64_t address) const;

  const DeviceMemory& memory_;
  std::vector<Pages> pages_; // by address
  process::MemoryFile file_;
};

// Adds objects for the allocations that are none yet, and says which objects are parts of others.
// `begins`: the address of each object of the trace that is in the memory. Returns where the added
// ones are.
std::vector<PlacedMemory> add_objects(const DeviceMemory& memory,
                                      std::span<const std::optional<std::uint64_t>> begins,
                                      LaunchTrace& trace);

} // namespace gputest::memory
