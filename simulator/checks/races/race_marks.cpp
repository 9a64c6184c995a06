// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/races/race_marks.h"

#include "ir/error.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gputest::simulator {
namespace {

// The memory of the latest marks, all of it 0.
std::optional<ZeroPages> kept; // NOLINT

} // namespace

// Tells which pages of this process have been touched, by /proc/self/pagemap. If that file cannot
// be read, all of them count as touched.
class Marks::TouchedPages {
public:
  TouchedPages() : file_(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  TouchedPages(const TouchedPages&) = delete;
  TouchedPages& operator=(const TouchedPages&) = delete;
  ~TouchedPages() {
    if (file_ >= 0)
      ::close(file_);
  }

  bool has(const std::byte* at) {
    const std::uint64_t page = reinterpret_cast<std::uintptr_t>(at) / Arena::kPage;
    if (page < first_ || page >= first_ + known_) {
      first_ = page;
      const ssize_t got = ::pread(file_, entries_.data(), sizeof entries_,
                                  static_cast<off_t>(page * sizeof(std::uint64_t)));
      known_ = got > 0 ? static_cast<std::size_t>(got) / sizeof(std::uint64_t) : 0;
    }
    constexpr std::uint64_t kPresentOrSwapped = std::uint64_t{3} << 62;
    return known_ == 0 || (entries_[page - first_] & kPresentOrSwapped) != 0;
  }

private:
  int file_;
  std::uint64_t first_ = 0;
  std::size_t known_ = 0;
  std::array<std::uint64_t, 512> entries_{};
};

Marks::Marks(const Arena& arena, const Region& rare, unsigned grain, MarkLayout layout,
             gputest_context& context)
    : arena_(arena), rare_(rare.begin), grain_(grain), layout_(layout) {
  others_ = arena_.space() / grain_ * layout_.cell();
  size_ = 2 * others_;
  if (kept && kept->size() >= size_)
    pages_ = std::exchange(kept, std::nullopt);
  else
    pages_.emplace(size_);
  begin_ = pages_->begin();
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
  std::size_t all = 0, most = 0;
  for (const Region& region : arena_.regions()) {
    const std::size_t size = region.size / grain_ * layout_.cell();
    all += size;
    if (region.begin != rare_)
      most = std::max(most, size);
  }
  if (most < kLargePage)
    return;
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

void Marks::accessed(const std::vector<Region>& regions, std::vector<Accessed>& found) const {
  TouchedPages touched;
  for (const Region& region : regions)
    accessed(region, touched, found);
}

void Marks::accessed(const Region& region, TouchedPages& touched,
                     std::vector<Accessed>& found) const {
  if (region.size == 0)
    return;
  const std::byte* const end = cell_of(region.begin + region.size - 1) + layout_.cell();
  const auto region_end = reinterpret_cast<std::uint64_t>(region.begin) + region.size;
  std::array<Accessed, 4> open; // by kind: what may still grow
  Accessed* const runs = open.data();
  const std::size_t cell = layout_.cell();
  const unsigned kinds = layout_.kinds;
  const std::uint64_t site_mask = (std::uint64_t{1} << layout_.site_bits) - 1;
  const auto keep = [&](Accessed& run) {
    run.size = std::min(run.size, region_end - run.begin);
    if (run.size > 0 && found.size() < kMostAccessed)
      found.push_back(run);
    run.size = 0;
  };
  for (const std::byte* at = cell_of(region.begin); at < end;) {
    const std::size_t in_page = reinterpret_cast<std::uintptr_t>(at) % Arena::kPage;
    const std::byte* const page_end =
        std::min(end, at + std::min<std::ptrdiff_t>(
                               end - at, static_cast<std::ptrdiff_t>(Arena::kPage - in_page)));
    if (!touched.has(at)) {
      at = page_end;
      continue;
    }
    std::uint64_t begin = reinterpret_cast<std::uint64_t>(arena_.begin()) +
                          static_cast<std::uint64_t>(at - begin_) / cell * grain_;
    for (; at < page_end; at += cell, begin += grain_)
      for (unsigned kind = 0; kind < kinds; ++kind) {
        std::uint64_t mark = 0;
        std::memcpy(&mark, at + kind * sizeof mark, sizeof mark);
        if (mark == 0)
          continue;
        const auto site = static_cast<unsigned>(mark >> GPUTEST_SITE_SHIFT & site_mask);
        Accessed& run = runs[kind];
        if (run.begin + run.size == begin && run.site == site && run.size > 0) {
          run.size += grain_;
          continue;
        }
        keep(run);
        run = {.begin = begin,
               .size = grain_,
               .site = site,
               .write = kind == GPUTEST_PLAIN_WRITE || kind == GPUTEST_ATOMIC_WRITE,
               .atomic = kind >= GPUTEST_ATOMIC_WRITE};
      }
  }
  for (Accessed& run : open)
    keep(run);
}

void Marks::clear() {
  ::madvise(begin_, size_, MADV_DONTNEED);
}

void Marks::keep(bool rare) {
  constexpr std::size_t kMost = std::size_t{256} << 10;
  const auto cells = [&](const Region& region) {
    return std::span(cell_of(region.begin), cell_of(region.begin + region.size + grain_));
  };
  std::size_t all = 0;
  for (const Region& region : arena_.regions())
    if (region.begin != rare_)
      all += cells(region).size();
  if (all > kMost)
    return;
  for (const Region& region : arena_.regions())
    if (region.begin != rare_ || rare)
      make_zeros(cells(region));
  make_zeros({begin_ + others_, others_});
  kept = std::exchange(pages_, std::nullopt);
}

} // namespace gputest::simulator
