// The memory of the devices: a file in memory that this process and the simulator map at the same
// address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace gputest::cuda {

enum class MemoryKind { Device, Host, Managed };

struct Allocation {
  std::uint64_t address = 0;
  std::size_t size = 0; // bytes
  MemoryKind kind = MemoryKind::Device;
  unsigned flags = 0;   // of cudaHostAlloc
  int device = 0;       // whose memory it is
  bool placed = false;  // by place()
  bool shared = false;  // by import(): another process has it, too
  std::uint64_t id = 0; // no other allocation of the process has had it
};

// Each device has its own part of what there is. Each allocation ends at the end of a page, and
// nothing lies behind it. The host can access what is pinned or managed where it is, and not what
// is the device's alone.
class Heap {
public:
  Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  int descriptor() const { return file_; }

  // Zeros. 0: there is no more memory.
  std::uint64_t allocate(std::size_t size, MemoryKind kind, unsigned flags = 0, int device = 0);
  bool free(std::uint64_t address); // false: no allocation of allocate() begins there

  // An allocation of bytes of another file. 0: there are no more addresses, or it is not to be
  // mapped.
  std::uint64_t import(int file, std::size_t offset, std::size_t size, int device);
  // Makes pages parts of another file; false: they cannot be. With the own one they are again what
  // they were.
  bool map(std::uint64_t begin, std::size_t size, int file, std::size_t offset);

  // Addresses for allocations that place() makes, both of whole pages. 0: there are no more.
  std::uint64_t reserve(std::size_t size, std::size_t alignment);
  void place(std::uint64_t address, std::size_t size);
  void displace(std::uint64_t address); // bytes stay
  void clear(std::uint64_t address, std::size_t size);
  void clear_all();

  // Where the address lies in the file of descriptor().
  static std::size_t offset_of(std::uint64_t address);
  // The allocation with the address in it; null: none.
  const Allocation* find(const void* pointer) const;
  // Whether so many bytes are all of one allocation, or the host's.
  bool is_inside(const void* pointer, std::size_t size) const;
  const std::map<std::uint64_t, Allocation>& allocations() const { return allocations_; }

  // The same bytes, at an address where this process can read and write them. Of what is no memory
  // of the device the address itself.
  std::byte* view(const void* pointer) const;

  std::size_t used(int device) const; // bytes

private:
  int file_ = -1;
  std::byte* view_ = nullptr;
  std::uint64_t next_ = 0, last_id_ = 0;
  std::map<int, std::size_t> used_; // by the device
  std::map<std::uint64_t, Allocation> allocations_;
  std::multimap<std::size_t, std::uint64_t> free_; // pages, by bytes
};

constexpr std::size_t kTotalMemory = std::size_t{16} << 30; // what programs are told

} // namespace gputest::cuda
