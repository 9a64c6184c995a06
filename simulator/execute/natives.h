// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native functions, which kernels call by name.
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

// Receives kernels' calls from its construction on, until another object does.
class Natives {
public:
  explicit Natives(Monitor* monitor); // null: for kernels without checks that stop by themselves
  void enter();                       // makes it receive calls again
  Natives(const Natives&) = delete;
  Natives& operator=(const Natives&) = delete;
  ~Natives();

  std::string output; // that of printf()
  Monitor* monitor = nullptr;
  cuda::Device* device = nullptr; // CUDA only
  // Returns the address of the running block's shared variable in another block; null: there is
  // none.
  std::function<void*(const void* pointer, std::uint64_t block)> shared_of;
  // Whether the bytes are all in one shared variable of a block of the running block's cluster.
  std::function<bool(const void* pointer, std::uint64_t size)> is_of_cluster;
  std::map<std::uint64_t, std::array<NamedBarrier, kNamedBarriers>> named_barriers; // by block
  std::set<std::uint64_t> polled; // addresses read by waiting loops, while watching
  bool clock_read = false;
  std::vector<LaunchByKernel> launches{};
  int launch_error = 0; // a cudaError_t: the last error of a launch by a kernel
};

// Returns the object that receives calls now.
Natives& running_natives();

// Returns the functions for LoadedCode for a kernel with these checks.
std::vector<NativeSymbol> native_symbols(const Checks& checks = {});

} // namespace gputest::simulator
