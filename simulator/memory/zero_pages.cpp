// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/memory/zero_pages.h"

#include "ir/error.h"
#include "simulator/memory/arena.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <utility>

namespace gputest::simulator {

void make_zeros(std::span<std::byte> memory) {
  constexpr std::size_t kSmall = std::size_t{64} << 10;
  if (memory.empty())
    return;
  const std::size_t before = reinterpret_cast<std::uintptr_t>(memory.data()) % Arena::kPage;
  std::byte* const begin = memory.data() - before;
  const std::size_t size =
      (before + memory.size() + Arena::kPage - 1) / Arena::kPage * Arena::kPage;
  if (size <= kSmall || ::madvise(begin, size, MADV_DONTNEED) != 0)
    std::memset(begin, 0, size);
}

ZeroPages::ZeroPages(std::size_t size) {
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw ir::SimulatorFailure(
        fmt::format("cannot reserve {} bytes of addresses: {}", size, std::strerror(errno)));
  memory_ = {static_cast<std::byte*>(memory), size};
}

ZeroPages::ZeroPages(ZeroPages&& other) noexcept : memory_(std::exchange(other.memory_, {})) {}

ZeroPages& ZeroPages::operator=(ZeroPages&& other) noexcept {
  std::swap(memory_, other.memory_);
  return *this;
}

ZeroPages::~ZeroPages() {
  if (!memory_.empty())
    ::munmap(memory_.data(), memory_.size());
}

} // namespace gputest::simulator
