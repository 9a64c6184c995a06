// What builds and launches the kernel of one call: an OpenCL device, which tells what the kernel's
// arguments are, or the simulator, which checks what the kernel does.
#pragma once

#include "gputest/run_kernel.h"
#include "runtime/api/signature.h"
#include "runtime/machine/kind.h"

#include <memory>
#include <string>
#include <vector>

namespace gputest::runtime {

class Launcher {
public:
  virtual ~Launcher() = default;
  virtual Machine& machine() = 0;

  // `text` becomes what is launched; `hidden` arguments at the end are none of the author's. Throws
  // BuildError, and UsageError without such a kernel.
  virtual void build(const std::string& text, const BuildSettings& settings,
                     const std::string& kernel, const std::string& source, unsigned hidden) = 0;

  // What the kernel that was built takes.
  struct Signature {
    std::size_t arguments = 0;
    std::vector<DeclaredArgument> declared; // empty: the device does not tell
  };
  virtual Signature signature() const = 0;

  // A non-empty `state` is the hidden argument. Throws CheckError, DeviceError, UsageError.
  virtual LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                               Bytes& state) = 0;
};

// What a call runs on: a kind that checks is the simulator.
const MachineKind& kind_of_call(const RunOptions& options, model::Language language);

// Throws NoDevice, UsageError, DeviceError.
std::unique_ptr<Launcher> open_launcher(const RunOptions& options, const MachineKind& kind);

} // namespace gputest::runtime
