// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/device.h"

#include "ir/error.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gputest::simulator::cuda {
namespace {

constexpr std::uint64_t kPages = kDeviceBytes / kDevicePage;

std::byte* at(std::uint64_t address) {
  return reinterpret_cast<std::byte*>(address);
}

std::uint64_t page_begin(std::uint64_t address) {
  return address / kDevicePage * kDevicePage;
}
std::uint64_t page_end(std::uint64_t address) {
  return page_begin(address + kDevicePage - 1);
}

constexpr std::size_t kBytesOfPages = kPages * sizeof(std::uint32_t),
                      kBytesOfTable = (kPages + 1) * sizeof(gputest_context::gputest_object);

// Allocates memory lazily.
void* zeros(std::size_t size) {
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw ir::SimulatorFailure("cannot reserve the tables of the device's memory");
  return memory;
}

} // namespace

Device::Device(int memory) : memory_(memory) {
  map_memory(MAP_FIXED_NOREPLACE);
  pages_ = static_cast<std::uint32_t*>(zeros(kBytesOfPages));
  table_ = static_cast<gputest_context::gputest_object*>(zeros(kBytesOfTable));
}

Device::~Device() {
  ::munmap(pages_, kBytesOfPages);
  ::munmap(table_, kBytesOfTable);
  ::munmap(at(kDeviceMemory), kDeviceBytes);
}

void Device::map_memory(int flags) const {
  void* const wanted = at(kDeviceMemory);
  if (::mmap(wanted, kDeviceBytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE | flags, memory_, 0) !=
      wanted)
    throw ir::SimulatorFailure(fmt::format("cannot map the device's memory at {:#x}: {}",
                                           kDeviceMemory, std::strerror(errno)));
}

void Device::move_to(int memory) {
  memory_ = memory;
  map_memory(MAP_FIXED);
  for (const auto& [address, region] : allocations_)
    open_pages(address, region.size);
}

void Device::open_pages(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t begin = page_begin(address), end = page_end(address + size);
  if (end > begin && ::mprotect(at(begin), end - begin, PROT_READ | PROT_WRITE) != 0)
    throw ir::SimulatorFailure(
        fmt::format("cannot use {} bytes of the device's memory: {}", size, std::strerror(errno)));
}

void Device::set_pages(std::uint64_t address, std::uint64_t size, std::uint32_t number) {
  const std::uint64_t first = (page_begin(address) - kDeviceMemory) / kDevicePage,
                      end = (page_end(address + size) - kDeviceMemory) / kDevicePage;
  for (std::uint64_t page = first; page < end; ++page)
    pages_[page] = number;
}

void Device::allocate(std::uint64_t address, std::uint64_t size, const std::string& name,
                      bool constant) {
  if (address < kDeviceMemory || size > kDeviceBytes ||
      address + size > kDeviceMemory + kDeviceBytes)
    throw ir::SimulatorFailure("an allocation is not in the device's memory");
  open_pages(address, size);
  std::uint32_t number = 0;
  if (free_numbers_.empty()) {
    number = table_size_++; // at most one for each page
  } else {
    number = free_numbers_.back();
    free_numbers_.pop_back();
  }
  table_[number] = {reinterpret_cast<gputest_u8*>(address), size, constant ? 0 : size};
  allocations_[address] = {name, at(address), size, constant};
  numbers_[address] = number;
  set_pages(address, size, number);
  if (definedness_)
    DefinednessMemory::forget(at(address), size);
}

void Device::map(std::uint64_t begin, std::uint64_t size, const std::string& file,
                 std::uint64_t offset) {
  const int opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  const bool mapped =
      opened >= 0 && ::mmap(at(begin), size, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
                            opened, static_cast<off_t>(offset)) == at(begin);
  const int error = errno;
  if (opened >= 0)
    ::close(opened);
  if (!mapped)
    throw ir::SimulatorFailure(
        fmt::format("cannot map the memory of another process: {}", std::strerror(error)));
}

void Device::free(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end())
    return;
  const std::uint64_t begin = page_begin(address), end = page_end(address + found->second.size);
  if (end > begin)
    ::mprotect(at(begin), end - begin, PROT_NONE);
  set_pages(address, found->second.size, 0);
  table_[numbers_[address]] = {};
  free_numbers_.push_back(numbers_[address]);
  numbers_.erase(address);
  of_host_.erase(address);
  managed_.erase(address);
  allocations_.erase(found);
}

const Region* Device::allocation(std::uint64_t address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin())
    return nullptr;
  const Region& region = std::prev(after)->second;
  return address - std::prev(after)->first <= region.size ? &region : nullptr;
}

const Region* Device::open_padding(std::uint64_t address) {
  if (address < kDeviceMemory || address >= kDeviceMemory + kDeviceBytes - kKernelHeap ||
      open_count_ == open_.size())
    return nullptr;
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin())
    return nullptr;
  const auto& [begin, region] = *std::prev(after);
  const std::uint64_t page = page_begin(address);
  if (address < begin + region.size || address >= begin + (region.size / kPadding + 1) * kPadding ||
      (after != allocations_.end() && after->first < page + kDevicePage) ||
      ::mprotect(at(page), kDevicePage, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  open_[open_count_++] = page;
  return &region;
}

void Device::close_padding() {
  while (open_count_ > 0)
    ::mprotect(at(open_[--open_count_]), kDevicePage, PROT_NONE);
}

bool Device::is_written_by_host(std::uint64_t address) const {
  const Region* const region = allocation(address);
  const auto begin = region ? reinterpret_cast<std::uint64_t>(region->begin) : 0;
  return of_host_.contains(begin) || managed_.contains(begin);
}

void Device::describe(gputest_context& context) const {
  context.memory = pages_;
  context.memory_begin = reinterpret_cast<gputest_u8*>(kDeviceMemory);
  context.memory_pages = kPages;
  context.allocations = table_;
}

void Device::follow_definedness() {
  if (!definedness_)
    definedness_.emplace();
}

void Device::define(std::uint64_t address, std::uint64_t size) {
  if (definedness_)
    DefinednessMemory::define(at(address), size);
}

void Device::copy_definedness(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
  if (definedness_)
    DefinednessMemory::copy(at(to), at(from), size);
}

std::uint64_t Device::first_unwritten(std::uint64_t address, std::uint64_t size) const {
  // Host and copies write pinned and managed memory without notice.
  if (!definedness_ || is_written_by_host(address))
    return 0;
  const std::size_t at_byte = DefinednessMemory::first_undefined(at(address), size);
  return at_byte == size ? 0 : address + at_byte;
}

void Device::begin_launch() {
  for (auto& [bytes, freed] : kernels_freed_) {
    std::vector<std::uint64_t>& free = kernels_free_[bytes];
    free.insert(free.end(), freed.begin(), freed.end());
    freed.clear();
  }
}

void* Device::kernel_malloc(std::uint64_t size, std::uint64_t alignment) {
  ++kernel_allocations_;
  if (size > kKernelHeap) // else the end of its pages may be no number
    return nullptr;
  const std::uint64_t bytes = page_end(std::max<std::uint64_t>(size, 1));
  if (bytes > kKernelHeap || !std::has_single_bit(alignment) || alignment > page_end(1))
    return nullptr;
  const auto take = [&](std::vector<std::uint64_t>& free) {
    const std::uint64_t taken = free.back();
    free.pop_back();
    return taken;
  };
  std::uint64_t begin = 0;
  if (!kernels_free_[bytes].empty())
    begin = take(kernels_free_[bytes]);
  else if (kernels_end_ - bytes >= kDeviceMemory + kDeviceBytes - kKernelHeap)
    begin = kernels_end_ -= bytes;
  else if (!kernels_freed_[bytes].empty())
    begin = take(kernels_freed_[bytes]);
  else
    return nullptr;
  // It ends where the last page ends, and begins in the first one.
  const std::uint64_t address =
      (begin + bytes - std::max<std::uint64_t>(size, 1)) / alignment * alignment;
  allocate(address, size, "malloc");
  return at(address);
}

bool Device::kernel_free(void* pointer) {
  ++kernel_allocations_;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || address < kDeviceMemory + kDeviceBytes - kKernelHeap)
    return false;
  const std::uint64_t begin = page_begin(address);
  kernels_freed_[page_end(address + found->second.size) - begin].push_back(begin);
  free(address);
  return true;
}

} // namespace gputest::simulator::cuda
