// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/channel.h"

#include <algorithm>
#include <climits>
#include <linux/futex.h>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace gputest::cuda::gpu {
namespace {

// How long a process spins. A shorter call ends before the process could sleep and be woken.
constexpr int kLooks = 2000;

} // namespace

Channel* Channel::make() {
  void* const memory = ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Channel;
}

bool Channel::wait(std::uint32_t turn, Clock::time_point until) {
  static const bool has_cores = ::sysconf(_SC_NPROCESSORS_ONLN) > 2;
  for (int i = 0; has_cores && i < kLooks; ++i)
    if (is_servers.load(std::memory_order_acquire) == turn)
      return true;
  while (is_servers.load(std::memory_order_acquire) != turn) {
    const auto left = until - Clock::now();
    if (left.count() <= 0)
      return false;
    const auto nanoseconds =
        std::min<std::int64_t>(std::chrono::nanoseconds(left).count(), 1'000'000'000);
    const timespec limit{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    ::syscall(SYS_futex, &is_servers, FUTEX_WAIT, 1 - turn, &limit, nullptr, 0);
  }
  return true;
}

void Channel::give(std::uint32_t turn) {
  is_servers.store(turn, std::memory_order_release);
  ::syscall(SYS_futex, &is_servers, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool Channel::ask(void (*what)(Channel&), Clock::time_point until) {
  if (!wait(0, until))
    return false;
  function = what;
  read = 0;
  give(1);
  return wait(0, until);
}

} // namespace gputest::cuda::gpu
