// A kernel of a CUDA file that a host program launches by itself, as it launches OpenCL's kernels:
// buffers come from the memory file, and go back there.
#pragma once

#include "ir/cuda/compile.h"
#include "simulator/cuda/device.h"
#include "simulator/execute/launch.h"
#include "simulator/execute/program.h"
#include "simulator/explore/interleaved.h"

#include <string>
#include <vector>

namespace gputest::simulator::cuda {

// The device of all such kernels, whose memory no other process sees.
class OwnDevice {
public:
  OwnDevice(); // throws SimulatorFailure
  ~OwnDevice();
  OwnDevice(const OwnDevice&) = delete;
  OwnDevice& operator=(const OwnDevice&) = delete;

  // A place for a variable of a program, which stays.
  std::uint64_t place_for(std::size_t size);

private:
  int memory_;

public:
  Device device;

private:
  std::uint64_t variables_end_;
};

class FileKernel {
public:
  // Compiles. Throws what compile_cuda() throws.
  FileKernel(const Source& source, const std::string& kernel, const Cache& cache,
             OwnDevice& device);

  // Parameters, as compiled without checks.
  const KernelShape& shape();

  // Variables of the device begin each launch with their first values. One more argument than the
  // kernel has is the state of instrumented code (passes/cuda_state.h). `memory`: the descriptor of
  // the memory file. Throws as simulator::launch() does.
  LaunchResult launch(const LaunchRequest& request, const std::vector<std::string>& checks,
                      int memory);

  // Do what explore_launch() and launch_turns() do. They throw SourceError for kernels with
  // variables of the device, or whose threads wait for each other in another way than by
  // __syncthreads().
  ExploredLaunch explore(const LaunchRequest& request, const ExplorationBounds& bounds, int memory);
  LaunchResult launch_turns(const LaunchRequest& request, const std::vector<model::Turn>& turns,
                            int memory);

private:
  const Program::Ready& interleaved();

  struct Variable {
    std::string name, initial;
    std::uint64_t address = 0;
  };

  std::string user_name_;
  CompiledCuda compiled_;
  Program program_;
  OwnDevice& own_;
  std::vector<Variable> variables_;
};

} // namespace gputest::simulator::cuda
