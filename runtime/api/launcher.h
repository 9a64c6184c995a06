// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds and launches the kernel of one call, on a machine of any kind. A kind that can check what
// a kernel does checks it.
#pragma once

#include "gputest/run_kernel.h"
#include "runtime/machine/kind.h"

#include <memory>
#include <string>
#include <vector>

namespace gputest::runtime {

class Launcher {
public:
  // Opens a machine of the kind. Throws NoDevice, UsageError, DeviceError.
  Launcher(const RunOptions& options, const MachineKind& kind);

  Machine& machine() { return *machine_; }

  // Builds `text` for the next launches. The last `hidden` arguments of the kernel are not the
  // author's. `source` is what messages call the text. Throws BuildError, and UsageError where
  // there is no such kernel.
  void build(const std::string& text, BuildSettings settings, const std::string& kernel,
             const std::string& source, unsigned hidden);

  // Returns what the built kernel takes, without the hidden arguments.
  Signature signature() const;

  // Launches the built kernel. A non-empty `state` is the hidden argument, and turns checks off.
  // Throws KernelError where a CUDA GPU reports a fault, CheckError, DeviceError, UsageError.
  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments, Bytes& state);

private:
  std::vector<std::string> checks_; // empty: the kind checks nothing, or is told to check nothing
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<BuiltKernel> kernel_;
  std::string name_;
  model::Language language_ = model::Language::OpenCL;
  unsigned hidden_ = 0;
};

// Returns the kind of machine that a call runs on (kind_for()).
const MachineKind& kind_of_call(const RunOptions& options, model::Language language);

} // namespace gputest::runtime
