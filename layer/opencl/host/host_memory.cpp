// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/host/host_memory.h"

#include <algorithm>
#include <pthread.h>
#include <sys/mman.h>

namespace gputest::layer {
namespace {

constexpr std::uint64_t kPage = 4096;

// Whether the page is one of the stack of this thread, which runs on.
bool is_on_stack(std::uint64_t begin, std::uint64_t end) {
  pthread_attr_t attributes;
  void* stack = nullptr;
  std::size_t size = 0;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
    return true; // not known
  ::pthread_attr_getstack(&attributes, &stack, &size);
  ::pthread_attr_destroy(&attributes);
  const auto first = reinterpret_cast<std::uint64_t>(stack);
  return begin < first + size && first < end;
}

void set(const HostMemory::Use& use, int protection) {
  ::mprotect(reinterpret_cast<void*>(use.begin), use.end - use.begin, protection);
}

int protection_of(const HostMemory::Use& use) {
  return use.writes ? PROT_NONE : PROT_READ;
}

} // namespace

void HostMemory::protect(const CommandPtr& command, const void* begin, std::size_t size,
                         bool writes) {
  const auto first = reinterpret_cast<std::uint64_t>(begin);
  const Use use{.command = command,
                .begin = (first + kPage - 1) / kPage * kPage,
                .end = (first + size) / kPage * kPage,
                .writes = writes};
  if (use.begin >= use.end || is_on_stack(use.begin, use.end))
    return;
  process::take_page_faults(on_access_);
  uses_.push_back(use);
  set(use, protection_of(use));
}

// What is left is protected again, as uses may overlap.
template <typename Ended> void HostMemory::release_if(const Ended& ended) {
  bool any = false;
  std::erase_if(uses_, [&](const Use& use) {
    const bool over = ended(use);
    if (over)
      set(use, PROT_READ | PROT_WRITE);
    any = any || over;
    return over;
  });
  if (any)
    for (const bool writes : {false, true}) // the stricter ones last
      for (const Use& use : uses_)
        if (use.writes == writes)
          set(use, protection_of(use));
}

void HostMemory::release(const void* begin, std::size_t size) {
  const auto first = reinterpret_cast<std::uint64_t>(begin);
  release_if([&](const Use& use) { return use.begin < first + size && first < use.end; });
}

void HostMemory::release(const Clock& host) {
  release_if([&](const Use& use) { return use.command->is_before(host); });
}

std::shared_ptr<const HostMemory::Use> HostMemory::take(const void* at) {
  const auto address = reinterpret_cast<std::uint64_t>(at);
  std::shared_ptr<const Use> found;
  release_if([&](const Use& use) {
    const bool has = use.begin <= address && address < use.end;
    if (has && (!found || use.writes))
      found = std::make_shared<const Use>(use);
    return has;
  });
  return found;
}

} // namespace gputest::layer
