// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/memory/arena.h"

#include "ir/error.h"
#include "simulator/memory/shared_memory.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace gputest::simulator {
namespace {

std::size_t rounded(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

} // namespace

std::size_t Arena::space_for(std::size_t size) {
  return rounded(size, kPage) + kPage + kGap;
}

Arena::Arena(std::size_t space) : space_(rounded(space + 2 * kGap, kPage)) {
  void* const begin =
      ::mmap(nullptr, space_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED)
    throw ir::SimulatorFailure(
        fmt::format("cannot reserve {} bytes of addresses: {}", space_, std::strerror(errno)));
  begin_ = static_cast<std::byte*>(begin);
  used_ = kGap;
}

Arena::Arena(std::byte* begin, std::size_t shared, std::size_t own)
    : begin_(begin), space_(shared + rounded(own + 2 * kGap, kPage)), used_(shared + kGap),
      foreign_(shared) {
  if (::mmap(begin + shared, space_ - shared, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
             0) != begin + shared)
    throw ir::SimulatorFailure(
        fmt::format("cannot reserve {} bytes of addresses behind device memory: {}",
                    space_ - shared, std::strerror(errno)));
}

Arena::~Arena() {
  ::munmap(begin_ + foreign_, space_ - foreign_);
}

// Whole pages for `size` bytes.
std::byte* Arena::place(std::size_t size) {
  std::byte* const address = begin_ + used_;
  used_ += rounded(size, kPage) + kGap;
  if (used_ > space_)
    throw ir::SimulatorFailure("more memory is needed than was reserved");
  return address;
}

Region Arena::map(const std::string& name, int descriptor, std::size_t offset, std::size_t size) {
  struct stat file{};
  if (size != 0 &&
      (::fstat(descriptor, &file) != 0 || size > static_cast<std::size_t>(file.st_size) ||
       offset > static_cast<std::size_t>(file.st_size) - size))
    throw ir::InputError(fmt::format("'{}': its {} bytes from byte {} are not in the memory file",
                                     name, size, offset));
  const std::size_t first_page = offset / kPage * kPage;
  const std::size_t length = rounded(offset + size - first_page, kPage);
  std::byte* const pages = place(size == 0 ? 0 : length);
  if (size != 0 && ::mmap(pages, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
                          static_cast<off_t>(first_page)) == MAP_FAILED)
    throw ir::SimulatorFailure(
        fmt::format("cannot map '{}' ({} bytes): {}", name, size, std::strerror(errno)));
  return regions_.emplace_back(name, pages + (size == 0 ? 0 : offset - first_page), size);
}

Region Arena::allocate(const std::string& name, std::size_t size) {
  const std::size_t length = rounded(size, kPage);
  std::byte* const pages = place(length);
  if (size != 0 && ::mprotect(pages, length, PROT_READ | PROT_WRITE) != 0)
    throw ir::SimulatorFailure(
        fmt::format("cannot allocate '{}' ({} bytes): {}", name, size, std::strerror(errno)));
  return regions_.emplace_back(name, pages + (length - rounded(size, kAlignment)), size);
}

void Arena::release(const Mark& mark) {
  if (used_ > mark.used)
    ::mmap(begin_ + mark.used, used_ - mark.used, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  used_ = mark.used;
  regions_.resize(mark.regions);
}

const Region& Arena::resize(std::size_t index, std::size_t size) {
  Region& region = regions_.at(index);
  std::byte* const end = region.begin + rounded(region.size, kAlignment);
  region.begin = end - rounded(size, kAlignment);
  region.size = size;
  return region;
}

const Region* Arena::near(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  const Region* best = nullptr;
  std::size_t distance = kGap;
  for (const Region& region : regions_) {
    const std::size_t away = at < region.begin ? static_cast<std::size_t>(region.begin - at)
                             : at >= region.begin + region.size
                                 ? static_cast<std::size_t>(at - region.begin - region.size)
                                 : 0;
    if (away < distance) {
      distance = away;
      best = &region;
    }
  }
  return best;
}

} // namespace gputest::simulator
