// What kernels call by name.
#pragma once

#include "simulator/checks/monitor.h"
#include "simulator/execute/loader.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::simulator {

namespace cuda {
class Device; // simulator/cuda/device.h
}

// A barrier of some threads of a block: bar.sync 1, 64.
struct NamedBarrier {
  std::uint32_t phase = 0; // how often it has let them go
  std::uint32_t arrived = 0;
};
constexpr unsigned kNamedBarriers = 16; // of a block

// What a kernel launches, which runs when the kernel has ended.
struct LaunchByKernel {
  std::string kernel;
  std::array<std::uint64_t, 3> grid{}, block{};
  std::uint64_t shared_bytes = 0;
  bool last = false; // after all others of the same kernel
  std::string arguments;
};

// Receives what kernels call, from the beginning of its life until another one does.
class Natives {
public:
  explicit Natives(Monitor* monitor); // null: of kernels without checks that stop by themselves
  void enter();                       // it receives them again
  Natives(const Natives&) = delete;
  Natives& operator=(const Natives&) = delete;
  ~Natives();

  std::string output; // of printf
  Monitor* monitor = nullptr;
  cuda::Device* device = nullptr; // of CUDA's kernels
  // The place of what the block that runs has in shared memory, in that of another block; null:
  // there is none.
  std::function<void*(const void* pointer, std::uint64_t block)> shared_of;
  // Whether so many bytes are of one variable in shared memory of a block of the running one's
  // cluster.
  std::function<bool(const void* pointer, std::uint64_t size)> is_of_cluster;
  std::map<std::uint64_t, std::array<NamedBarrier, kNamedBarriers>> named_barriers; // by the block
  std::set<std::uint64_t> polled; // addresses that loops which wait have read, where it is asked
  bool clock_read = false;
  std::vector<LaunchByKernel> launches{};
  int launch_error = 0; // the last that a launch by a kernel has returned, a cudaError_t
};

// The one whose kernels run.
Natives& running_natives();

// For LoadedCode, of a kernel with these checks.
std::vector<NativeSymbol> native_symbols(const Checks& checks = {});

} // namespace gputest::simulator
