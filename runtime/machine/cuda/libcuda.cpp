// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/cuda/libcuda.h"

#include "gputest/error.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>

namespace gputest::runtime::cuda {
namespace {

// CUDA_ERROR_INVALID_VALUE, OUT_OF_MEMORY, LAUNCH_OUT_OF_RESOURCES, COOPERATIVE_LAUNCH_TOO_LARGE,
// and what the runtime API has for sizes of launches.
constexpr std::array kRefusals{1, 2, 9, 701, 720};

// ECC_UNCORRECTABLE, ILLEGAL_ADDRESS, LAUNCH_TIMEOUT, ASSERT, and from HARDWARE_STACK_ERROR to
// LAUNCH_FAILED.
constexpr std::array kFaults{214, 700, 702, 710, 714, 715, 716, 717, 718, 719};

} // namespace

Driver::Driver() {
  const char* const named = std::getenv("GPUTEST_CUDA_DRIVER");
  const std::string library = named && *named ? named : "libcuda.so.1";
  void* const opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened)
    throw NoDevice(fmt::format("no CUDA driver ({})", ::dlerror()));
#define GPUTEST_ROW(name, symbol, ...)                                                             \
  name = reinterpret_cast<decltype(name)>(::dlsym(opened, symbol));                                \
  if (!name)                                                                                       \
    throw DeviceError(fmt::format("{} has no {}: CUDA's driver is too old", library, symbol));
  GPUTEST_CUDA_DRIVER_CALLS(GPUTEST_ROW)
#undef GPUTEST_ROW
}

std::string Driver::text_of(Result result) const {
  const char *name = nullptr, *text = nullptr;
  error_name(result, &name);
  error_string(result, &text);
  return fmt::format("{}: {}", name ? name : fmt::format("CUDA error {}", result),
                     text ? text : "unknown");
}

void Driver::check(Result result, const std::string& what) const {
  if (result == 0)
    return;
  const std::string message = fmt::format("{}: {}", what, text_of(result));
  if (result == kOutOfMemory)
    throw OutOfMemory(message);
  throw DeviceError(message);
}

bool is_fault(Result result) {
  return std::ranges::find(kFaults, result) != kFaults.end();
}

bool is_refusal(Result result) {
  return std::ranges::find(kRefusals, result) != kRefusals.end();
}

} // namespace gputest::runtime::cuda
