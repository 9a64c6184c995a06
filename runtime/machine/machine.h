// What builds and launches kernels: an OpenCL device, or the simulator.
#pragma once

#include "runtime/machine/build_settings.h"
#include "runtime/machine/launch_outcome.h"
#include "runtime/machine/repeated_case.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gputest::runtime {

// One kernel, built, of which any number of launches can be made.
class BuiltKernel {
public:
  virtual ~BuiltKernel() = default;
  // As launch_kernel() in launch.h.
  virtual LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                               Bytes& state) = 0;
  // What of such a launch is more than the machine says that it can; it may run nevertheless, or
  // end the process. Empty: nothing.
  virtual std::string beyond_limits(const Launch&, const std::vector<LaunchArgument>&) const {
    return "";
  }
  std::string log; // what the compiler said; may be empty
};

// What the results of a launch may depend on, besides what is launched.
struct MachineIdentity {
  std::string name, version, driver, platform;
};

class Machine {
public:
  virtual ~Machine() = default;
  virtual std::string name() const = 0; // for people and results
  virtual MachineIdentity identity() const = 0;
  virtual bool is_cpu() const = 0;               // work-items of a group run one after the other
  virtual std::size_t largest_group() const = 0; // work-items of a group, where a size is chosen

  // `text` under `settings`; `source` is what messages call it. Throws BuildError, and UsageError
  // without such a kernel.
  virtual std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                             const std::string& kernel,
                                             const std::string& source) = 0;

  // `kernel` is its name, for messages; `outputs` are the positions of what is read back;
  // `state_bytes` the size of the state buffer. Throws DeviceError.
  virtual std::unique_ptr<RepeatedCase> repeat(BoundCase test_case, const std::string& kernel,
                                               const std::vector<std::size_t>& outputs,
                                               std::size_t state_bytes) = 0;

  // Seconds that a launch may take from now on, of machines that can end one; 0: any.
  virtual void limit_launches(double) {}
};

// Is the simulator meant by --device, or where that is empty by GPUTEST_DEVICE?
bool wants_simulator(const std::string& device);

} // namespace gputest::runtime
