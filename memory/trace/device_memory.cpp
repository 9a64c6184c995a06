// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/device_memory.h"

#include "ir/error.h"
#include "simulator/cuda/wire.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

namespace gputest::memory {
namespace {

constexpr std::uint64_t kPage = 4096;

std::uint64_t page_begin(std::uint64_t address) {
  return address / kPage * kPage;
}
std::uint64_t page_end(std::uint64_t address) {
  return page_begin(address + kPage - 1);
}

std::uint64_t end_of(const DeviceMemory::Allocation& allocation) {
  return allocation.address + allocation.bytes.size();
}

} // namespace

bool DeviceMemory::has(std::uint64_t address, std::uint64_t size) {
  using simulator::cuda::kDeviceBytes;
  using simulator::cuda::kDeviceMemory;
  return address >= kDeviceMemory && address - kDeviceMemory <= kDeviceBytes &&
         size <= kDeviceBytes - (address - kDeviceMemory);
}

std::vector<DevicePages::Pages> DevicePages::pages_of(const DeviceMemory& memory) {
  std::vector<Pages> all;
  for (const DeviceMemory::Allocation& one : memory.allocations) {
    const std::uint64_t begin = page_begin(one.address), end = page_end(end_of(one));
    if (!all.empty() && begin <= all.back().end)
      all.back().end = std::max(all.back().end, end);
    else
      all.push_back(
          {.begin = begin,
           .end = end,
           .offset = all.empty() ? 0 : all.back().offset + all.back().end - all.back().begin});
  }
  return all;
}

DevicePages::DevicePages(const DeviceMemory& memory)
    : memory_(memory), pages_(pages_of(memory)),
      file_("gputest-device",
            pages_.empty() ? 0 : pages_.back().offset + pages_.back().end - pages_.back().begin) {
  for (const DeviceMemory::Allocation& one : memory.allocations)
    file_.write_at(offset_of(one.address), one.bytes);
}

std::uint64_t DevicePages::offset_of(std::uint64_t address) const {
  const Pages& pages = *std::prev(std::ranges::upper_bound(pages_, address, {}, &Pages::begin));
  return pages.offset + (address - pages.begin);
}

void DevicePages::map() const {
  for (const Pages& pages : pages_) {
    void* const at = reinterpret_cast<void*>(pages.begin);
    if (pages.end > pages.begin && ::mmap(at, pages.end - pages.begin, PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_FIXED_NOREPLACE, file_.descriptor(),
                                          static_cast<off_t>(pages.offset)) != at)
      throw ir::InputError(
          fmt::format("error: the memory of a launch cannot be mapped at {:#x}: {}", pages.begin,
                      std::strerror(errno)));
  }
}

void DevicePages::add_to(std::vector<std::byte>& bytes) const {
  for (const DeviceMemory::Allocation& one : memory_.allocations) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + one.bytes.size());
    file_.read_at(offset_of(one.address), std::span(bytes).subspan(begin));
  }
}

std::vector<PlacedMemory> add_objects(const DeviceMemory& memory,
                                      std::span<const std::optional<std::uint64_t>> begins,
                                      LaunchTrace& trace) {
  std::vector<PlacedMemory> added;
  for (const DeviceMemory::Allocation& one : memory.allocations) {
    const auto known = std::ranges::find(begins, one.address);
    auto whole = static_cast<std::uint32_t>(known - begins.begin());
    if (known == begins.end()) {
      whole = static_cast<std::uint32_t>(trace.objects.size());
      trace.objects.push_back({.name = one.name, .size = one.bytes.size(), .address = one.address});
      added.push_back({.begin = reinterpret_cast<const std::byte*>(one.address),
                       .size = one.bytes.size(),
                       .object = whole});
    }
    for (std::uint32_t i = 0; i < begins.size(); ++i)
      if (i != whole && begins[i] && *begins[i] >= one.address && *begins[i] < end_of(one)) {
        trace.objects[i].part_of = whole;
        trace.objects[i].part_begin = *begins[i] - one.address;
      }
  }
  return added;
}

} // namespace gputest::memory
