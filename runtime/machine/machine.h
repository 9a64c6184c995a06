// What builds and launches kernels: an OpenCL device, or the simulator.
#pragma once

#include "runtime/machine/build_settings.h"
#include "runtime/machine/launch_outcome.h"
#include "runtime/machine/repeated_case.h"
#include "runtime/machine/signature.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gputest::runtime {

// The machine is gone: a kernel or somebody else ended the process it ran in.
class MachineEnded : public DeviceError {
public:
  using DeviceError::DeviceError;
};

// The kernel has ended in a fault, after which this process can use the machine no more, and
// another one can.
class KernelFault : public DeviceError {
public:
  KernelFault(const std::string& message, bool of_budget)
      : DeviceError(message), exhausted(of_budget) {}
  bool exhausted; // a mutant's loops used up their budget, and it ended itself
};

// One kernel, built, of which any number of launches can be made.
class BuiltKernel {
public:
  virtual ~BuiltKernel() = default;
  // Launches the kernel with `arguments` in order of position and waits for it. A non-empty `state`
  // becomes one more, trailing buffer argument and is read back. Behind each buffer lies a guard
  // zone (runtime/cases/guard_zone.h). Throws UsageError where the NDRange fits no device (global
  // size 0, not a multiple of the local size) and DeviceError where this machine cannot do it.
  virtual LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                               Bytes& state) = 0;
  // What of such a launch is more than the machine says that it can; it may run nevertheless, or
  // end the process. Empty: nothing.
  virtual std::string beyond_limits(const Launch&, const std::vector<LaunchArgument>&) const {
    return "";
  }
  // Every interleaving of a launch, as far as the bounds go; `outputs` are the positions of what is
  // compared. A case that takes longer than its bounds and the machine's limit is a finding. Throws
  // DeviceError where the machine's kind explores no interleavings (MachineKind).
  virtual Exploration explore(const Launch& launch, std::vector<LaunchArgument>& arguments,
                              const std::vector<std::size_t>& outputs,
                              const ExplorationBounds& bounds);
  // What the kernel takes, a state buffer included, if BuildSettings::signature asked for it.
  virtual Signature signature() const { return {}; }
  std::string log; // what the compiler said; may be empty
};

// What the results of a launch may depend on, besides what is launched.
struct MachineIdentity {
  std::string name, version, driver, platform;
};

// The share of a process's time after which a machine that can end launches does so: it then says
// where the launch was.
constexpr double kOfLimit = 0.9;

class Machine {
public:
  virtual ~Machine() = default;
  virtual std::string name() const = 0; // for people and results
  virtual MachineIdentity identity() const = 0;
  virtual bool is_cpu() const = 0;               // work-items of a group run one after the other
  virtual std::size_t largest_group() const = 0; // work-items of a group, where a size is chosen
  virtual std::uint64_t largest_buffer() const { // bytes
    return std::numeric_limits<std::uint64_t>::max();
  }
  virtual bool has_atomics() const { return true; } // of 32 bits, in global memory

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

  // A build option with which this machine compiles in a fraction of the time, to code that runs
  // several times as long. Empty: there is none, or it is not worth it.
  virtual std::string quick_build_option() const { return ""; }

  // How launches run from now on: orders, checks and limits; nullptr: this machine takes no such
  // instructions.
  virtual Simulation* simulation() { return nullptr; }

  // Seconds that a launch may take from now on, of machines that can end one; 0: any.
  void limit_launches(double seconds) {
    if (Simulation* const told = simulation())
      told->limit = seconds;
  }
  // The same where the process is ended after so many seconds.
  void limit_launches_within(double seconds) { limit_launches(seconds * kOfLimit); }
};

} // namespace gputest::runtime
