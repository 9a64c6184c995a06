// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native functions that only CUDA's kernels call (for all kernels: natives.h), and what they keep.
#pragma once

#include "simulator/natives/cuda_errors.h"
#include "simulator/natives/natives.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

// A barrier of some threads of a block, such as bar.sync 1, 64.
struct NamedBarrier {
  std::uint32_t phase = 0; // how often it was passed
  std::uint32_t arrived = 0;
};
constexpr unsigned kNamedBarriers = 16; // for each block

// A launch by a kernel, which runs when the kernel has ended.
struct LaunchByKernel {
  std::string kernel;
  std::array<std::uint64_t, 3> grid{}, block{};
  std::uint64_t shared_bytes = 0;
  bool last = false; // runs after all other launches of the same kernel
  std::string arguments;
};

// What kernels ask of the device that they run on (cuda/device.h).
class KernelHost {
public:
  KernelHost() = default;
  KernelHost(const KernelHost&) = delete;
  KernelHost& operator=(const KernelHost&) = delete;

  // malloc() and free() of kernels. Null: there is no memory left. False: it is not allocated.
  // Returns null for an alignment that is no power of two, or that is larger than a page.
  virtual void* kernel_malloc(std::uint64_t size, std::uint64_t alignment) = 0;
  virtual bool kernel_free(void* pointer) = 0;
  virtual bool is_allocated(std::uint64_t address) const = 0;

  // Why a kernel has ended itself, such as a failed assertion.
  struct End {
    std::uint64_t error = kNoError;
    std::string message;
    const void* instruction = nullptr;   // the one that ended it, in the kernel's code
    std::optional<std::uint64_t> site{}; // known instead of the instruction
  };
  End ended;

  // Unfinished grids launched by kernels, with all grids that these launch.
  std::size_t pending_launches = 0;

protected:
  ~KernelHost() = default;
};

// What a launch keeps for its native functions.
class KernelState : public LanguageState {
public:
  explicit KernelState(KernelHost* its_host = nullptr) : host(its_host) {}

  KernelHost* const host; // null: the kernel runs by itself, as OpenCL's do
  // Returns the address of the running block's shared variable in another block; null: there is
  // none.
  std::function<void*(const void* pointer, std::uint64_t block)> shared_of;
  // Whether the bytes are all in one shared variable of a block of the running block's cluster.
  std::function<bool(const void* pointer, std::uint64_t size)> is_of_cluster;
  std::map<std::uint64_t, std::array<NamedBarrier, kNamedBarriers>> named_barriers; // by block
  std::set<std::uint64_t> polled; // addresses read by waiting loops, while watching
  bool clock_read = false;
  std::uint32_t dynamic_shared = 0; // bytes of dynamic shared memory of a block
  std::vector<LaunchByKernel> launches{};
  int launch_error = 0; // a cudaError_t: the last error of a launch by a kernel
};

// Returns what the launch that runs now keeps.
KernelState& running_state();

std::vector<NativeSymbol> native_symbols();

// Returns the output of printf(). `arguments`: values as for C's varargs, each at a multiple of its
// size (CUDA C++ Programming Guide, "Formatted Output"). `parsed`: gets their number.
std::string printf_text(const char* format, const unsigned char* arguments, int& parsed);

} // namespace gputest::simulator::cuda
