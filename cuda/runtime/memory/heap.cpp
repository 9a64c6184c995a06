// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/memory/heap.h"

#include "process/memory_file.h"
#include "simulator/cuda/wire.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gputest::cuda {
namespace {

using simulator::cuda::kDeviceBytes;
using simulator::cuda::kDeviceMemory;
using simulator::cuda::kDevicePage;

constexpr std::size_t kAlignment = 256;                        // as cudaMalloc's
constexpr std::size_t kGap = 16 * kDevicePage;                 // addresses between two allocations
constexpr std::uint64_t kOfVariables = std::uint64_t{1} << 30; // at the beginning
constexpr std::uint64_t kOfKernels = std::uint64_t{1} << 30;   // at the end: malloc in kernels

std::size_t rounded(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

// Prints an error and ends the program, because nothing works without the heap.
[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "gputest-cuda: error: %s: %s\n", what, std::strerror(errno));
  std::_Exit(3);
}

} // namespace

std::string text_of(const Allocation& allocation) {
  return std::to_string(allocation.size) + (allocation.size == 1 ? " byte of " : " bytes of ") +
         (allocation.kind == MemoryKind::Host      ? "pinned"
          : allocation.kind == MemoryKind::Managed ? "managed"
                                                   : "device") +
         " memory";
}

Heap::Heap() : next_(kDeviceMemory + kOfVariables + kGap), next_variable_(kDeviceMemory + kGap) {
  file_ = process::memory_file("gputest-cuda", kDeviceBytes).release();
  if (file_ < 0)
    fail("cannot make the memory of the device");
  if (!map_file(MAP_FIXED_NOREPLACE))
    fail("cannot map the memory of the device");
  void* const view =
      ::mmap(nullptr, kDeviceBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (view == MAP_FAILED)
    fail("cannot map the memory of the device a second time");
  view_ = static_cast<std::byte*>(view);
}

bool Heap::map_file(int flags) {
  void* const wanted = reinterpret_cast<void*>(kDeviceMemory);
  return ::mmap(wanted, kDeviceBytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE | flags, file_, 0) ==
         wanted;
}

std::uint64_t Heap::allocate_variable(std::size_t size, MemoryKind kind) {
  const std::size_t pages = rounded(rounded(size, kAlignment), kDevicePage);
  if (size > kOfVariables || next_variable_ + pages + kGap > kDeviceMemory + kOfVariables ||
      used(0) + pages > kTotalMemory)
    return allocate(size, kind);
  return add(std::exchange(next_variable_, next_variable_ + pages + kGap), size, kind, 0, 0);
}

std::uint64_t Heap::allocate(std::size_t size, MemoryKind kind, unsigned flags, int device) {
  const std::size_t pages = rounded(rounded(size, kAlignment), kDevicePage);
  if (size > kTotalMemory || used(device) + pages > kTotalMemory)
    return 0;
  std::uint64_t begin = 0;
  if (next_ + pages + kGap < kDeviceMemory + kDeviceBytes - kOfKernels) {
    begin = next_;
    next_ += pages + kGap;
  } else { // freed addresses are used again as late as possible
    const auto found = free_.lower_bound(pages);
    if (found == free_.end())
      return 0;
    begin = found->second;
    free_.erase(found);
  }
  return add(begin, size, kind, flags, device);
}

std::uint64_t Heap::add(std::uint64_t begin, std::size_t size, MemoryKind kind, unsigned flags,
                        int device) {
  const std::size_t whole = rounded(size, kAlignment), pages = rounded(whole, kDevicePage);
  if (kind != MemoryKind::Device &&
      ::mprotect(reinterpret_cast<void*>(begin), pages, PROT_READ | PROT_WRITE) != 0)
    return 0;
  const std::uint64_t address = begin + pages - whole;
  allocations_[address] = {.address = address,
                           .size = size,
                           .kind = kind,
                           .flags = flags,
                           .device = device,
                           .id = ++last_id_};
  used_[device] += pages;
  return address;
}

std::uint64_t Heap::reserve(std::size_t size, std::size_t alignment) {
  const std::uint64_t begin = rounded(next_, alignment);
  if (begin + size + kGap >= kDeviceMemory + kDeviceBytes - kOfKernels)
    return 0;
  next_ = begin + size + kGap;
  return begin;
}

process::Descriptor Heap::copy() const {
  process::Descriptor file = process::memory_file("gputest-cuda", kDeviceBytes);
  if (!file)
    throw std::runtime_error(std::string("cannot make the memory of the device: ") +
                             std::strerror(errno));
  static constexpr std::array<std::byte, kDevicePage> kZeros{};
  for (const auto& [address, allocation] : allocations_) {
    std::uint64_t page = address / kDevicePage * kDevicePage;
    for (; page < address + allocation.size; page += kDevicePage) {
      const std::byte* const bytes = view_ + offset_of(page);
      if (std::memcmp(bytes, kZeros.data(), kDevicePage) != 0 &&
          ::pwrite(file.number(), bytes, kDevicePage, static_cast<off_t>(offset_of(page))) !=
              static_cast<ssize_t>(kDevicePage))
        throw std::runtime_error(std::string("cannot copy the memory of the device: ") +
                                 std::strerror(errno));
    }
  }
  return file;
}

bool Heap::move_to(process::Descriptor file) {
  ::close(std::exchange(file_, file.release()));
  if (!map_file(MAP_FIXED) || ::mmap(view_, kDeviceBytes, PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file_, 0) != view_)
    return false;
  for (const auto& [address, allocation] : allocations_) {
    const std::uint64_t begin = address / kDevicePage * kDevicePage;
    const std::size_t pages = rounded(address + allocation.size, kDevicePage) - begin;
    if (allocation.kind != MemoryKind::Device &&
        ::mprotect(reinterpret_cast<void*>(begin), pages, PROT_READ | PROT_WRITE) != 0)
      return false;
  }
  return true;
}

std::size_t Heap::offset_of(std::uint64_t address) {
  return address - kDeviceMemory;
}

bool Heap::map(std::uint64_t begin, std::size_t size, int file, std::size_t offset) {
  const auto at = [&](void* where, int protection) {
    return ::mmap(where, size, protection, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file,
                  static_cast<off_t>(offset)) == where;
  };
  return at(reinterpret_cast<void*>(begin), PROT_NONE) &&
         at(view_ + offset_of(begin), PROT_READ | PROT_WRITE);
}

std::uint64_t Heap::import(int file, std::size_t offset, std::size_t size, int device) {
  const std::size_t first = offset / kDevicePage * kDevicePage;
  const std::size_t pages = rounded(offset - first + size, kDevicePage);
  const std::uint64_t begin = reserve(pages, kDevicePage);
  if (begin == 0 || !map(begin, pages, file, first))
    return 0;
  const std::uint64_t address = begin + (offset - first);
  allocations_[address] = {
      .address = address, .size = size, .device = device, .shared = true, .id = ++last_id_};
  return address;
}

void Heap::place(std::uint64_t address, std::size_t size) {
  allocations_[address] = {.address = address, .size = size, .placed = true, .id = ++last_id_};
  used_[0] += size;
}

void Heap::displace(std::uint64_t address) {
  const auto found = allocations_.find(address);
  used_[0] -= found->second.size;
  allocations_.erase(found);
}

void Heap::clear(std::uint64_t address, std::size_t size) {
  ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(address - kDeviceMemory), static_cast<off_t>(size));
}

void Heap::clear_all() {
  clear(kDeviceMemory, kDeviceBytes);
}

bool Heap::free(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || found->second.placed)
    return false;
  const std::uint64_t begin = address / kDevicePage * kDevicePage;
  const std::size_t pages =
      rounded(address + rounded(found->second.size, kAlignment), kDevicePage) - begin;
  if (found->second.shared) { // other processes keep the memory; its addresses are not used again
    allocations_.erase(found);
    return map(begin, pages, file_, offset_of(begin));
  }
  ::mprotect(reinterpret_cast<void*>(begin), pages, PROT_NONE);
  clear(begin, pages);
  used_[found->second.device] -= pages;
  free_.emplace(pages, begin);
  allocations_.erase(found);
  return true;
}

std::size_t Heap::used(int device) const {
  const auto found = used_.find(device);
  return found == used_.end() ? 0 : found->second;
}

const Allocation* Heap::find(const void* pointer) const {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin())
    return nullptr;
  const Allocation& allocation = std::prev(after)->second;
  return address - allocation.address <= allocation.size ? &allocation : nullptr;
}

bool Heap::is_inside(const void* pointer, std::size_t size) const {
  const Allocation* const allocation = find(pointer);
  return !allocation ||
         reinterpret_cast<std::uint64_t>(pointer) + size <= allocation->address + allocation->size;
}

std::byte* Heap::view(const void* pointer) const {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (address - kDeviceMemory >= kDeviceBytes)
    return const_cast<std::byte*>(static_cast<const std::byte*>(pointer));
  return view_ + (address - kDeviceMemory);
}

} // namespace gputest::cuda
