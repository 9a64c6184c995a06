// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of a CUDA file that a host program launches by itself, like OpenCL's kernels. Buffers
// are copied from the memory file and back.
#pragma once

#include "ir/cuda/compile.h"
#include "process/memory_file.h"
#include "simulator/cuda/device.h"
#include "simulator/execute/launch.h"
#include "simulator/execute/program.h"
#include "simulator/explore/interleaved.h"

#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

// The device of all such kernels. No other process has its memory.
class OwnDevice {
public:
  OwnDevice() = default; // throws std::runtime_error
  OwnDevice(const OwnDevice&) = delete;
  OwnDevice& operator=(const OwnDevice&) = delete;

  // Allocates memory for a variable of a program, for good.
  std::uint64_t place_for(std::size_t size);

private:
  process::MemoryFile memory_{"gputest device", kDeviceBytes};

public:
  Device device{memory_.descriptor()};

private:
  std::uint64_t variables_end_ = kDeviceMemory;
};

class FileKernel {
public:
  // Compiles the kernel. Throws what compile_cuda() throws.
  FileKernel(const ir::Source& source, const std::string& kernel, const Cache& cache,
             OwnDevice& device);

  // The shape without checks, for its parameters.
  const ir::KernelShape& shape();

  // Makes a launch. Device variables have their initial values in each launch. An argument after
  // the kernel's own is the state of instrumented code (passes/cuda_state.h). `memory`: the
  // descriptor of the memory file. Throws what simulator::launch() throws.
  LaunchResult launch(const LaunchRequest& request, const std::vector<std::string>& checks,
                      int memory);

  // The same as explore_launch() and launch_turns(). Throw SourceError for kernels with device
  // variables, and for kernels whose threads wait other than by __syncthreads().
  ExploredLaunch explore(const LaunchRequest& request, const ExplorationBounds& bounds, int memory);
  LaunchResult launch_turns(const LaunchRequest& request, const std::vector<model::Turn>& turns,
                            int memory);

private:
  const Program::Ready& interleaved();
  std::unique_ptr<KernelState> state_for(const LaunchRequest& request);

  struct Variable {
    std::string name, initial;
    std::uint64_t address = 0;
  };

  std::string user_name_;
  ir::CompiledCuda compiled_;
  Program program_;
  OwnDevice& own_;
  unsigned most_threads_ = 0; // of a block
  std::vector<Variable> variables_;
};

} // namespace gputest::simulator::cuda
