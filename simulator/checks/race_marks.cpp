#include "simulator/checks/race_marks.h"

#include "ir/error.h"

#include <cerrno>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gputest::simulator {

Marks::Marks(const Arena& arena, unsigned grain, MarkLayout layout, gputest_context& context)
    : arena_(arena), grain_(grain), layout_(layout) {
  others_ = arena_.space() / grain_ * layout_.cell();
  size_ = 2 * others_;
  void* const memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw SimulatorFailure(fmt::format("cannot reserve {} bytes for the marks of races: {}", size_,
                                       std::strerror(errno)));
  begin_ = static_cast<std::byte*>(memory);
  use_large_pages();
  context.arena = reinterpret_cast<gputest_u8*>(arena_.begin());
  context.shadow = reinterpret_cast<gputest_u8*>(begin_);
  context.others = others_;
}

// A page of marks costs more than the accesses of its bytes: one page fault for the first read, and
// another for the first mark. So marks of large buffers use large pages. When memory is short they
// do not, because marks of a sparsely accessed buffer would take more memory.
void Marks::use_large_pages() {
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  const auto rounded_down = [](std::byte* at) {
    return at - reinterpret_cast<std::uintptr_t>(at) % kLargePage;
  };
  std::size_t all = 0;
  for (const Region& region : arena_.regions())
    all += region.size / grain_ * layout_.cell();
  const auto free_memory = static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES)) *
                           static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (all > free_memory / 4)
    return;
  for (const Region& region : arena_.regions()) {
    std::byte* const begin = rounded_down(cell_of(region.begin) + kLargePage - 1);
    std::byte* const end = rounded_down(cell_of(region.begin + region.size));
    if (begin < end)
      ::madvise(begin, static_cast<std::size_t>(end - begin), MADV_HUGEPAGE);
  }
}

Marks::~Marks() {
  ::munmap(begin_, size_);
}

bool Marks::as_before(const std::byte* at) const {
  const std::byte* const cell = cell_of(at);
  const std::size_t size = layout_.cell();
  return std::memcmp(cell, cell - size, size) == 0 &&
         std::memcmp(other(cell), other(cell) - size, size) == 0;
}

void Marks::forget_epochs(std::uint64_t group_start) {
  const std::uint64_t first = std::uint64_t{1} << layout_.epoch_shift(), below = first - 1;
  for (const Region& region : arena_.regions())
    for (const std::size_t offset : {std::size_t{0}, others_}) {
      std::byte* const end = cell_of(region.begin + region.size) + offset;
      for (std::byte* at = cell_of(region.begin) + offset; at < end; at += layout_.kMark)
        if (const std::uint64_t mark = read(at); mark != 0)
          write(at, (mark & below) | (mark < group_start ? first : 2 * first));
    }
}

void Marks::clear() {
  ::madvise(begin_, size_, MADV_DONTNEED);
}

} // namespace gputest::simulator
