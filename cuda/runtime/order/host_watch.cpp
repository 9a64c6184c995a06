// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/order/host_watch.h"

#include "cuda/runtime/order/footprints.h"

#include <algorithm>
#include <csignal>
#include <sys/mman.h>
#include <ucontext.h>

namespace gputest::cuda {
namespace {

struct sigaction program_action{};       // NOLINT: what the program, or nobody, has set
HostWatch::OnAccess on_access = nullptr; // NOLINT: of the process's one check

bool is_write(const void* context) {
#ifdef __x86_64__
  constexpr long long kWrite = 2; // a bit of the page fault's error code
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
#else
  (void)context;
  return true; // not known
#endif
}

const void* instruction_of(const void* context) {
#ifdef __x86_64__
  return reinterpret_cast<const void*>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  (void)context;
  return nullptr;
#endif
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (on_access(info->si_addr, is_write(context), instruction_of(context)))
    return;
  if (program_action.sa_flags & SA_SIGINFO)
    program_action.sa_sigaction(signal, info, context);
  else if (program_action.sa_handler != SIG_DFL && program_action.sa_handler != SIG_IGN)
    program_action.sa_handler(signal);
  else
    ::sigaction(signal, &program_action, nullptr); // the access is made again, and ends the program
}

// The program may have set a handler since the last time.
void take_faults() {
  struct sigaction now{};
  ::sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault)
    return;
  program_action = now;
  struct sigaction ours{};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  ::sigaction(SIGSEGV, &ours, nullptr);
}

} // namespace

void HostWatch::add(std::uint64_t page, Watched watched) {
  pages_[page].push_back(std::move(watched));
  changed_.insert(page);
}

void HostWatch::protect() {
  if (changed_.empty())
    return;
  on_access = on_access_;
  take_faults();
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
