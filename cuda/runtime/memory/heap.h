// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of the devices: a file in memory, which this process and the simulator map at the same
// address.
#pragma once

#include "process/descriptor.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace gputest::cuda {

enum class MemoryKind { Device, Host, Managed };

struct Allocation {
  std::uint64_t address = 0;
  std::size_t size = 0; // bytes
  MemoryKind kind = MemoryKind::Device;
  unsigned flags = 0;   // of cudaHostAlloc
  int device = 0;       // the device that owns the memory
  bool placed = false;  // made by place()
  bool shared = false;  // made by import(): another process has it, too
  std::uint64_t id = 0; // unique in the process, also after free()
};
std::string text_of(const Allocation& allocation); // "400 bytes of device memory"

// Each device can have kTotalMemory bytes. Each allocation ends at the end of a page, and the next
// page is unused. The host can access pinned and managed memory at its address, but not device
// memory.
class Heap {
public:
  Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  int descriptor() const { return file_; }

  // Allocates zeros and returns the address. 0: there is no memory left.
  std::uint64_t allocate(std::size_t size, MemoryKind kind, unsigned flags = 0, int device = 0);
  // The same, for a variable of device code. Its address does not depend on what the program has
  // allocated before its code was loaded.
  std::uint64_t allocate_variable(std::size_t size, MemoryKind kind);
  bool free(std::uint64_t address); // false: no allocation of allocate() or import() begins there

  // Makes an allocation of `size` bytes of another file. 0: there are no addresses left, or the
  // file cannot be mapped.
  std::uint64_t import(int file, std::size_t offset, std::size_t size, int device);
  // Maps another file at whole pages; false: that fails. With descriptor() and offset_of(begin),
  // the pages are again as they were.
  bool map(std::uint64_t begin, std::size_t size, int file, std::size_t offset);

  // Reserves addresses, whole pages, for place(). 0: there are none left.
  std::uint64_t reserve(std::size_t size, std::size_t alignment);
  void place(std::uint64_t address, std::size_t size);
  void displace(std::uint64_t address); // keeps the bytes
  // Sets bytes to zeros.
  void clear(std::uint64_t address, std::size_t size);
  void clear_all();

  // Copies the bytes of all allocations to a file like descriptor()'s. Throws std::runtime_error.
  process::Descriptor copy() const;
  // Uses that file from now on. Returns whether that succeeds.
  bool move_to(process::Descriptor file);

  // Returns the offset of the address in the file of descriptor().
  static std::size_t offset_of(std::uint64_t address);
  // Returns the allocation that contains the pointer; one past its end counts. Null: there is none.
  const Allocation* find(const void* pointer) const;
  // Whether all `size` bytes are in one allocation, or the pointer is in none.
  bool is_inside(const void* pointer, std::size_t size) const;
  const std::map<std::uint64_t, Allocation>& allocations() const { return allocations_; }

  // Returns an address at which this process can read and write the same bytes. A pointer outside
  // of the device's memory is returned as it is.
  std::byte* view(const void* pointer) const;

  std::size_t used(int device) const; // bytes

private:
  int file_ = -1;
  std::byte* view_ = nullptr;
  bool map_file(int flags);
  std::uint64_t add(std::uint64_t begin, std::size_t size, MemoryKind kind, unsigned flags,
                    int device);

  std::uint64_t next_ = 0, last_id_ = 0;
  std::uint64_t next_variable_ = 0;
  std::map<int, std::size_t> used_; // by device
  std::map<std::uint64_t, Allocation> allocations_;
  std::multimap<std::size_t, std::uint64_t> free_; // the first addresses of free pages, by size in
                                                   // bytes
};

constexpr std::size_t kTotalMemory = std::size_t{16} << 30; // of a device

} // namespace gputest::cuda
