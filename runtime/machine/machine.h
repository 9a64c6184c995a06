// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of whatever builds and launches kernels: an OpenCL device, a CUDA GPU, or the
// simulator.
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

// The process that the machine ran in has ended: a kernel or another process ended it.
class MachineEnded : public DeviceError {
public:
  using DeviceError::DeviceError;
};

// The kernel has ended in a fault. This process can no longer use the machine, but another one can.
class KernelFault : public DeviceError {
public:
  KernelFault(const std::string& message, bool of_budget)
      : DeviceError(message), exhausted(of_budget) {}
  bool exhausted; // a mutant's loops used up their budget, so that it ended itself
};

// A built kernel, which can be launched any number of times.
class BuiltKernel {
public:
  virtual ~BuiltKernel() = default;
  // Launches the kernel with `arguments` in order of position and waits for it. A non-empty `state`
  // becomes one more, trailing buffer argument and is read back. Behind each buffer lies a guard
  // zone (runtime/cases/guard_zone.h). Throws UsageError where no device can launch the NDRange (a
  // size of 0, or no multiple of the local size), and DeviceError where this machine cannot.
  virtual LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                               Bytes& state) = 0;
  // Returns what in such a launch exceeds the limits that the machine reports; empty: nothing. The
  // launch may run nevertheless, or end the process.
  virtual std::string beyond_limits(const Launch&, const std::vector<LaunchArgument>&) const {
    return "";
  }
  // Explores every interleaving of a launch, within `bounds`. `outputs` are the positions of what
  // is compared. A case that takes longer than its bounds and the machine's limit is a finding.
  // Throws DeviceError where the machine's kind explores no interleavings (MachineKind).
  virtual Exploration explore(const Launch& launch, std::vector<LaunchArgument>& arguments,
                              const std::vector<std::size_t>& outputs,
                              const ExplorationBounds& bounds);
  // Returns what the kernel takes, including a state buffer. Needs BuildSettings::signature.
  virtual Signature signature() const { return {}; }
  std::string log; // the compiler's log; may be empty
};

// The properties of a machine that the results of a launch may depend on.
struct MachineIdentity {
  std::string name, version, driver, platform;
};

// A machine that can end launches does so after this share of the process's time limit, so that it
// can say where the launch was.
constexpr double kOfLimit = 0.9;

// Returns why a launch with lock step is not made.
std::string not_in_step(const std::string& machine, unsigned work_items);

class Machine {
public:
  virtual ~Machine() = default;
  virtual std::string name() const = 0; // for people and results
  virtual MachineIdentity identity() const = 0;
  virtual bool is_cpu() const = 0; // work-items of a group run one after the other
  // Returns the most work-items in a group whose size the runtime chooses.
  virtual std::size_t largest_group() const = 0;
  virtual std::uint64_t largest_buffer() const { // bytes
    return std::numeric_limits<std::uint64_t>::max();
  }
  virtual bool has_atomics() const { return true; } // has 32-bit atomics in global memory
  // Whether it promises that so many neighbouring work-items of a group run in lock step. It throws
  // DeviceError for a launch that asks for what it does not promise.
  virtual bool keeps_in_step(unsigned /*work_items*/) const { return false; }

  // Builds `text` under `settings`. `source` is what messages call it. Throws BuildError, and
  // UsageError where there is no such kernel.
  virtual std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                             const std::string& kernel,
                                             const std::string& source) = 0;

  // Makes the memory of a case for repeated launches. `kernel` is its name, for messages. `outputs`
  // are the positions of what is read back. `state_bytes` is the size of the state buffer. Throws
  // DeviceError.
  virtual std::unique_ptr<RepeatedCase> repeat(BoundCase test_case, const std::string& kernel,
                                               const std::vector<std::size_t>& outputs,
                                               std::size_t state_bytes) = 0;

  // Returns a build option with which this machine compiles in a fraction of the time, to code that
  // runs several times as long. Empty: there is none, or it is not worth it.
  virtual std::string quick_build_option() const { return ""; }

  // Returns how launches run from now on: orders, checks and limits. nullptr: this machine takes no
  // such instructions.
  virtual Simulation* simulation() { return nullptr; }

  // Limits the seconds that a launch may take from now on, on machines that can end one; 0: no
  // limit.
  void limit_launches(double seconds) {
    if (Simulation* const told = simulation())
      told->limit = seconds;
  }
  // As limit_launches(), where the process itself is ended after `seconds`.
  void limit_launches_within(double seconds) { limit_launches(seconds * kOfLimit); }
};

} // namespace gputest::runtime
