// What builds and launches kernels: an OpenCL device, or the simulator.
#pragma once

#include "runtime/launch.h"

#include <filesystem>
#include <memory>
#include <string>

namespace gputest::runtime {

// One kernel, built, of which any number of launches can be made.
class BuiltKernel {
public:
  virtual ~BuiltKernel() = default;
  // As launch_kernel() in launch.h.
  virtual LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                               Bytes& state) = 0;
  std::string log; // what the compiler said; may be empty
};

class Machine {
public:
  virtual ~Machine() = default;
  virtual std::string name() const = 0; // for people and results
  virtual bool is_cpu() const = 0;      // work-items of a group run one after the other

  // `text` under `settings`; `source` is what messages call it. Throws BuildError, and UsageError
  // without such a kernel.
  virtual std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                             const std::string& kernel,
                                             const std::string& source) = 0;
};

// An OpenCL device. `context` must live as long.
std::unique_ptr<Machine> opencl_machine(const Context& context);

// Is the simulator meant by --device, or where that is empty by GPUTEST_DEVICE?
bool wants_simulator(const std::string& device);

} // namespace gputest::runtime
