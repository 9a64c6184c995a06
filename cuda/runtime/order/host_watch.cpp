// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/order/host_watch.h"

#include "cuda/runtime/order/footprints.h"

#include <algorithm>
#include <sys/mman.h>

namespace gputest::cuda {
void HostWatch::add(std::uint64_t page, Watched watched) {
  pages_[page].push_back(std::move(watched));
  changed_.insert(page);
}

void HostWatch::protect() {
  if (changed_.empty())
    return;
  process::take_page_faults(on_access_);
  apply(std::exchange(changed_, {}));
}

// Sets the protection of pages, neighbouring ones together.
void HostWatch::apply(const std::set<std::uint64_t>& pages) {
  constexpr std::uint64_t kPage = Footprints::kPage;
  std::uint64_t begin = 0, end = 0;
  int protection = 0;
  const auto set = [&] {
    if (begin < end)
      ::mprotect(reinterpret_cast<void*>(begin), end - begin, protection);
  };
  for (const std::uint64_t page : pages) {
    const auto found = pages_.find(page);
    const int wanted = found == pages_.end() ? PROT_READ | PROT_WRITE
                       : std::ranges::any_of(found->second, &Watched::writes) ? PROT_NONE
                                                                              : PROT_READ;
    if (page != end || wanted != protection) {
      set();
      begin = page;
      protection = wanted;
    }
    end = page + kPage;
  }
  set();
}

template <typename Ended> void HostWatch::release_if(const Ended& ended) {
  std::set<std::uint64_t> pages;
  for (auto page = pages_.begin(); page != pages_.end();) {
    if (std::erase_if(page->second, [&](const Watched& one) { return ended(*one.operation); }) > 0)
      pages.insert(page->first);
    page = page->second.empty() ? pages_.erase(page) : std::next(page);
  }
  apply(pages);
}

void HostWatch::release(const Clock& host) {
  release_if([&](const StreamOperation& one) { return one.is_before(host); });
}

void HostWatch::release(const OperationPtr& operation) {
  release_if([&](const StreamOperation& one) { return &one == operation.get(); });
}

void HostWatch::forget(std::uint64_t begin, std::uint64_t size) {
  std::set<std::uint64_t> pages;
  for (auto page = pages_.lower_bound(begin / Footprints::kPage * Footprints::kPage);
       page != pages_.end() && page->first < begin + size; page = pages_.erase(page))
    pages.insert(page->first);
  apply(pages);
}

void HostWatch::clear() {
  release_if([](const StreamOperation&) { return true; });
}

const HostWatch::Watched* HostWatch::find(std::uint64_t page, bool writes) const {
  const auto found = pages_.find(page);
  if (found == pages_.end())
    return nullptr;
  for (const Watched& one : found->second)
    if (writes || one.writes)
      return &one;
  return nullptr;
}

} // namespace gputest::cuda
