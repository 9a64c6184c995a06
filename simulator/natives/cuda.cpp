// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/natives/cuda.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace gputest::simulator::cuda {
namespace {

constexpr unsigned long kTailLaunch = 3; // cudaStreamTailLaunch
// Limits of a launch on a GPU of compute capability 8.0.
constexpr std::uint64_t kMostThreads = 1024, kMostThreadsOfZ = 64, kMostBlocksOfYZ = 65535,
                        kMostSharedBytes = 163 * 1024;
constexpr std::size_t kMostPendingLaunches = 2048; // cudaLimitDevRuntimePendingLaunchCount

template <typename Value> Value next(const unsigned char* arguments, std::size_t& at) {
  at = (at + sizeof(Value) - 1) / sizeof(Value) * sizeof(Value);
  Value value{};
  if (!arguments) // printf("%d")
    return value;
  std::memcpy(static_cast<void*>(&value), arguments + at, sizeof value);
  at += sizeof value;
  return value;
}

template <typename Value> void append(std::string& text, const std::string& format, Value value) {
  std::array<char, 512> part{};
  const int length = std::snprintf(part.data(), part.size(), format.c_str(), value);
  if (length < static_cast<int>(part.size())) {
    text.append(part.data(), static_cast<std::size_t>(std::max(length, 0)));
    return;
  }
  std::string longer(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(longer.data(), longer.size(), format.c_str(), value);
  longer.pop_back();
  text += longer;
}

// Ends the kernel, so that run_guarded() returns. `returns_to`: where the function that the kernel
// has called would go on, behind the call.
[[noreturn]] void end_kernel(std::uint64_t error, std::string message, const void* returns_to) {
  if (KernelHost* const host = running_state().host) // without one, the kernel just ends
    host->ended = {error, std::move(message), static_cast<const char*>(returns_to) - 1,
                   host->ended.site};
  std::raise(SIGILL);
  std::abort();
}

extern "C" {
int gputest_vprintf(const char* format, const unsigned char* arguments) {
  if (!format)
    return -1;
  int parsed = 0;
  running_natives().output += printf_text(format, arguments, parsed);
  return parsed;
}

// The message of CUDA, with block and thread.
void gputest_assert(const char* message, const char* file, unsigned line, const char* function,
                    unsigned bx, unsigned by, unsigned bz, unsigned x, unsigned y, unsigned z) {
  end_kernel(kAssert,
             fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion "
                         "`{}` failed.",
                         file, line, function ? function : "", bx, by, bz, x, y, z, message),
             __builtin_return_address(0));
}
void gputest_trap() {
  end_kernel(kLaunchFailure, "the kernel has ended itself with a trap",
             __builtin_return_address(0));
}
void gputest_end_misaligned(gputest_u64 alignment) {
  end_kernel(kMisalignedAddress,
             fmt::format("the kernel accesses an address that is no multiple of {}, as its type "
                         "needs; --check bounds tells which",
                         alignment),
             __builtin_return_address(0));
}
void gputest_no_function() {
  end_kernel(kLaunchFailure,
             "the kernel calls a function by a pointer that points to none of its "
             "type",
             __builtin_return_address(0));
}
void gputest_host_call(const char* function) {
  end_kernel(kLaunchFailure,
             fmt::format("the kernel calls '{}', which is a function of the host", function),
             __builtin_return_address(0));
}
void gputest_no_grid(gputest_u64 site) {
  if (KernelHost* const host = running_state().host)
    host->ended.site = site;
  end_kernel(kLaunchFailure,
             "the kernel waits for all blocks of its grid, and was not launched with "
             "cudaLaunchCooperativeKernel",
             __builtin_return_address(0));
}
void* gputest_shared_of(const void* pointer, gputest_u64 block) {
  void* const there = running_state().shared_of(pointer, block);
  if (!there)
    end_kernel(kLaunchFailure,
               fmt::format("the kernel asks for the shared memory of block {} of its grid: the "
                           "block is not there, or the pointer is to no shared memory",
                           block),
               __builtin_return_address(0));
  return there;
}
int gputest_is_of_cluster(const gputest_u8* at, gputest_u64 size) {
  const KernelState& state = running_state();
  return state.is_of_cluster && state.is_of_cluster(at, size);
}
void* gputest_malloc(unsigned long size, unsigned long alignment) {
  return running_state().host->kernel_malloc(size, alignment);
}
void gputest_free(void* pointer) {
  if (pointer && !running_state().host->kernel_free(pointer))
    end_kernel(kLaunchFailure, "the kernel frees memory that no kernel has allocated",
               __builtin_return_address(0));
}
// Notes a launch by a kernel (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"). `sizes`:
// grid and block. `kernel`: its name; null: it is none. `stream`: the handle's value.
int gputest_launch_kernel(const char* kernel, const unsigned* sizes, unsigned long shared_bytes,
                          unsigned long stream, const char* arguments, unsigned long size) {
  KernelState& state = running_state();
  if (!kernel)
    return state.launch_error = kInvalidDeviceFunction;
  LaunchByKernel launch{.kernel = kernel,
                        .grid = {sizes[0], sizes[1], sizes[2]},
                        .block = {sizes[3], sizes[4], sizes[5]},
                        .shared_bytes = shared_bytes,
                        .last = stream == kTailLaunch,
                        .arguments = std::string(arguments, size)};
  const auto& [x, y, z] = launch.block;
  const bool refused =
      std::ranges::count(launch.grid, 0U) + std::ranges::count(launch.block, 0U) > 0 ||
      x > kMostThreads || y > kMostThreads || z > kMostThreadsOfZ || x * y * z > kMostThreads ||
      launch.grid[1] > kMostBlocksOfYZ || launch.grid[2] > kMostBlocksOfYZ ||
      shared_bytes > kMostSharedBytes;
  if (refused)
    return state.launch_error = kInvalidConfiguration;
  if (state.host->pending_launches == kMostPendingLaunches)
    return state.launch_error = kPendingCountExceeded;
  ++state.host->pending_launches;
  state.launches.push_back(std::move(launch));
  return kNoError;
}
int gputest_launch_error(int take) {
  int& error = running_state().launch_error;
  return take != 0 ? std::exchange(error, 0) : error;
}
void gputest_fence(int kind) {
  if (Monitor* const monitor = running_natives().monitor)
    monitor->pass_fence(static_cast<ir::FenceKind>(kind));
}
void gputest_polls(const void* address) {
  running_state().polled.insert(reinterpret_cast<std::uint64_t>(address));
}
unsigned long gputest_clock() {
  running_state().clock_read = true;
  return static_cast<unsigned long>(std::chrono::steady_clock::now().time_since_epoch().count());
}
gputest_u32 gputest_dynamic_shared() {
  return running_state().dynamic_shared;
}
double gputest_j(int order, double x) {
  return ::jn(order, x);
}
double gputest_y(int order, double x) {
  return ::yn(order, x);
}
// Bessel functions of orders 0 and 1 come from the power series, and from the asymptotic one.
double gputest_i(int order, double x) {
  const double size = std::fabs(x);
  double term = 1, sum = 1, factor = order == 0 ? 1 : size / 2;
  if (size < 100) {
    for (int k = 1; term > sum * 1e-17; ++k) {
      term *= size / 2 / k * (size / 2) / (k + order);
      sum += term;
    }
  } else if (std::isfinite(size)) {
    for (int k = 1; k < 12; ++k) {
      term *= ((2 * k - 1) * (2 * k - 1) - 4 * order * order) / (8 * k * size);
      sum += term;
    }
    const double half = std::exp(size / 2); // which overflows later than the whole
    factor = half / std::sqrt(2 * M_PI * size) * half;
  } else {
    return order == 0 ? size : x;
  }
  return order == 1 && x < 0 ? -factor * sum : factor * sum;
}
gputest_u64 gputest_named_barrier(gputest_u64 block, gputest_u32 number) {
  if (number >= kNamedBarriers)
    end_kernel(
        kLaunchFailure,
        fmt::format("the kernel waits at barrier {}; a block has {}", number, kNamedBarriers),
        __builtin_return_address(0));
  return reinterpret_cast<gputest_u64>(&running_state().named_barriers[block][number]);
}
// Returns the phase in which a thread waits.
gputest_u32 gputest_arrive(gputest_u64 named, gputest_u32 threads, gputest_u32 wanted) {
  NamedBarrier& barrier = *reinterpret_cast<NamedBarrier*>(named);
  const gputest_u32 next = barrier.phase + 1;
  barrier.arrived += threads;
  if (barrier.arrived >= wanted) {
    barrier.arrived = 0;
    barrier.phase = next;
  }
  return next;
}
void gputest_warp_stuck(gputest_context*, gputest_u64 first, gputest_u64 lanes) {
  running_natives().monitor->warp_stuck(first, lanes);
}
void gputest_warp_unnamed(gputest_context*, gputest_u64 first, gputest_u64 lanes) {
  running_natives().monitor->warp_unnamed(first, lanes);
}
void gputest_warp_absent(gputest_context*, gputest_u64 first, gputest_u64 lanes) {
  running_natives().monitor->warp_absent(first, lanes);
}
void gputest_awaited(gputest_context*, gputest_u64 first, gputest_u64 lanes) {
  running_natives().monitor->awaited(first, lanes);
}
void gputest_warp_met(gputest_context*, gputest_u64 first, gputest_u64 lanes, int steps) {
  running_natives().monitor->warp_met(first, lanes, steps != 0);
}
}

} // namespace

KernelState& running_state() {
  Natives& natives = running_natives();
  if (!natives.language)
    natives.language = std::make_unique<KernelState>();
  return static_cast<KernelState&>(*natives.language); // kernels of one language run at a time
}

std::string printf_text(const char* format, const unsigned char* arguments, int& parsed) {
  std::string text;
  std::size_t used = 0;
  parsed = 0;
  for (const char* at = format; *at != 0;) {
    if (*at != '%') {
      text += *at++;
      continue;
    }
    if (at[1] == '%') {
      text += '%';
      at += 2;
      continue;
    }
    std::string conversion(1, *at++);
    bool is_long = false;
    for (; *at != 0 && !std::strchr("diouxXeEfFgGaAcsp", *at); ++at) {
      if (*at == '*') {
        conversion += std::to_string(next<int>(arguments, used));
        ++parsed;
      } else if (std::strchr("lLjzt", *at))
        is_long = true;
      else
        conversion += *at; // h, too: it is an int
    }
    if (*at == 0)
      break;
    const char letter = *at++;
    ++parsed;
    if (std::strchr("eEfFgGaA", letter))
      append(text, conversion + letter, next<double>(arguments, used));
    else if (letter == 's')
      append(text, conversion + 's', next<const char*>(arguments, used));
    else if (letter == 'p')
      append(text, conversion + 'p', next<const void*>(arguments, used));
    else if (is_long)
      append(text, conversion + "ll" + letter, next<long long>(arguments, used));
    else
      append(text, conversion + letter, next<int>(arguments, used));
  }
  return text;
}

std::vector<NativeSymbol> native_symbols() {
  return {{"gputest_vprintf", reinterpret_cast<void*>(&gputest_vprintf)},
          {"gputest_assert", reinterpret_cast<void*>(&gputest_assert)},
          {"gputest_trap", reinterpret_cast<void*>(&gputest_trap)},
          {"gputest_end_misaligned", reinterpret_cast<void*>(&gputest_end_misaligned)},
          {"gputest_no_function", reinterpret_cast<void*>(&gputest_no_function)},
          {"gputest_host_call", reinterpret_cast<void*>(&gputest_host_call)},
          {"gputest_no_grid", reinterpret_cast<void*>(&gputest_no_grid)},
          {"gputest_shared_of", reinterpret_cast<void*>(&gputest_shared_of)},
          {"gputest_is_of_cluster", reinterpret_cast<void*>(&gputest_is_of_cluster)},
          {"gputest_malloc", reinterpret_cast<void*>(&gputest_malloc)},
          {"gputest_free", reinterpret_cast<void*>(&gputest_free)},
          {"gputest_launch_kernel", reinterpret_cast<void*>(&gputest_launch_kernel)},
          {"gputest_launch_error", reinterpret_cast<void*>(&gputest_launch_error)},
          {"gputest_clock", reinterpret_cast<void*>(&gputest_clock)},
          {"gputest_dynamic_shared", reinterpret_cast<void*>(&gputest_dynamic_shared)},
          {"gputest_fence", reinterpret_cast<void*>(&gputest_fence)},
          {"gputest_polls", reinterpret_cast<void*>(&gputest_polls)},
          {"gputest_j", reinterpret_cast<void*>(&gputest_j)},
          {"gputest_y", reinterpret_cast<void*>(&gputest_y)},
          {"gputest_i", reinterpret_cast<void*>(&gputest_i)},
          {"gputest_named_barrier", reinterpret_cast<void*>(&gputest_named_barrier)},
          {"gputest_arrive", reinterpret_cast<void*>(&gputest_arrive)},
          {"gputest_warp_stuck", reinterpret_cast<void*>(&gputest_warp_stuck)},
          {"gputest_warp_unnamed", reinterpret_cast<void*>(&gputest_warp_unnamed)},
          {"gputest_warp_absent", reinterpret_cast<void*>(&gputest_warp_absent)},
          {"gputest_awaited", reinterpret_cast<void*>(&gputest_awaited)},
          {"gputest_warp_met", reinterpret_cast<void*>(&gputest_warp_met)}};
}

} // namespace gputest::simulator::cuda
