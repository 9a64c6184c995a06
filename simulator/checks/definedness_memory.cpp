// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/definedness_memory.h"

#include "ir/error.h"
#include "simulator/memory/guard.h"
#include "simulator/memory/zero_pages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <utility>

namespace gputest::simulator {
namespace {

bool shadow_is_mapped = false; // NOLINT: in this process

struct MappedRange {
  std::uint64_t begin, end;
};
// The address ranges in use: the program and its heap, where it is linked without PIE and with it;
// mappings and stacks.
constexpr std::array<MappedRange, 3> kUsed{
    {{0, 0x10000000000}, {0x550000000000, 0x570000000000}, {0x7c0000000000, 0x800000000000}}};

void* shadow_at(const void* memory) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(memory) ^ kShadowBits);
}

} // namespace

DefinednessMemory::DefinednessMemory() {
  if (std::exchange(shadow_is_mapped, true))
    return;
  for (const MappedRange& range : kUsed) {
    void* const wanted = reinterpret_cast<void*>(range.begin ^ kShadowBits);
    const void* const got =
        ::mmap(wanted, range.end - range.begin, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    shadow_is_mapped = got == wanted;
    if (!shadow_is_mapped)
      throw ir::SimulatorFailure(
          fmt::format("the check of uninitialized values needs {} TiB of addresses, which this "
                      "process does not get ({}); leave it out, or raise `ulimit -v`",
                      (range.end - range.begin) >> 40, std::strerror(errno)));
  }
}

DefinednessMemory::~DefinednessMemory() {
  if (!ended_)
    for (const MappedRange& range : kUsed)
      ::madvise(reinterpret_cast<void*>(range.begin ^ kShadowBits), range.end - range.begin,
                MADV_DONTNEED);
}

void DefinednessMemory::end(std::span<const std::span<std::byte>> used) {
  constexpr std::size_t kTopOfStack = std::size_t{32} << 10;
  const std::span<std::byte> stack = running_stack();
  const std::size_t deep = stack.size() - std::min(stack.size(), kTopOfStack);
  for (const std::span<std::byte> part : {stack.first(deep), stack.subspan(deep)})
    make_zeros(shadow_of(part.data(), part.size()));
  for (const std::span<std::byte> part : used)
    make_zeros(shadow_of(part.data(), part.size()));
  ended_ = true;
}

std::span<std::byte> DefinednessMemory::shadow_of(void* begin, std::size_t size) {
  return {static_cast<std::byte*>(shadow_at(begin)), size};
}

void DefinednessMemory::forget(void* begin, std::size_t size) {
  std::memset(shadow_at(begin), 0xff, size);
}

void DefinednessMemory::define(void* begin, std::size_t size) {
  std::memset(shadow_at(begin), 0, size);
}

std::size_t DefinednessMemory::first_undefined(const void* begin, std::size_t size) {
  const auto* const shadow = static_cast<const unsigned char*>(shadow_at(begin));
  return static_cast<std::size_t>(
      std::find_if(shadow, shadow + size, [](unsigned char bits) { return bits != 0; }) - shadow);
}

std::vector<wire::ByteRange> DefinednessMemory::undefined(const std::byte* begin,
                                                          std::size_t size) {
  std::vector<wire::ByteRange> ranges;
  for (std::size_t at = 0; shadow_is_mapped && at < size; ++at) {
    if (first_undefined(begin + at, 1) != 0)
      continue;
    if (!ranges.empty() && ranges.back().begin + ranges.back().size == at)
      ++ranges.back().size;
    else
      ranges.push_back({.begin = at, .size = 1});
  }
  return ranges;
}

bool DefinednessMemory::copy(void* to, const void* from, std::size_t size) {
  auto* const target = static_cast<unsigned char*>(shadow_at(to));
  const void* const source = shadow_at(from);
  std::memmove(target, source, size);
  return std::all_of(target, target + size, [](unsigned char bits) { return bits == 0; });
}

} // namespace gputest::simulator
