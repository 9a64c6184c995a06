// What builds and launches the kernel of one call, on a machine of any kind. Kinds that check what
// a kernel does do so.
#pragma once

#include "gputest/run_kernel.h"
#include "runtime/machine/kind.h"

#include <memory>
#include <string>
#include <vector>

namespace gputest::runtime {

class Launcher {
public:
  // Throws NoDevice, UsageError, DeviceError.
  Launcher(const RunOptions& options, const MachineKind& kind);

  Machine& machine() { return *machine_; }

  // `text` becomes what is launched; `hidden` arguments at the end are none of the author's. Throws
  // BuildError, and UsageError without such a kernel.
  void build(const std::string& text, BuildSettings settings, const std::string& kernel,
             const std::string& source, unsigned hidden);

  // What the kernel that was built takes, without the hidden arguments.
  Signature signature() const;

  // A non-empty `state` is the hidden argument. Throws CheckError, DeviceError, UsageError.
  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments, Bytes& state);

private:
  std::vector<std::string> checks_; // of a kind that checks
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<BuiltKernel> kernel_;
  std::string name_;
  model::Language language_ = model::Language::OpenCL;
  unsigned hidden_ = 0;
};

// What a call runs on: a kind that checks is the simulator.
const MachineKind& kind_of_call(const RunOptions& options, model::Language language);

} // namespace gputest::runtime
