// One launch of a kernel of a CUDA program.
#pragma once

#include "simulator/checks/finding.h"
#include "simulator/cuda/device.h"
#include "simulator/execute/program.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

struct Launch {
  std::array<std::uint64_t, 3> grid{}, block{}; // blocks, and threads of one
  std::uint64_t shared_bytes = 0;               // of dynamic __shared__ memory
  bool cooperative = false;                     // blocks may wait for each other
  std::string arguments;              // the block of arguments, as the kernel's shape says
  double limit = 0;                   // seconds; 0: any
  std::vector<std::uint32_t> order{}; // of blocks, by linear id; empty: ascending
};

// The memory that launches of a kernel of one size have besides the device's, from one to the next.
class LaunchMemory;
struct PreparedLaunch {
  PreparedLaunch();
  PreparedLaunch(PreparedLaunch&&) noexcept;
  PreparedLaunch& operator=(PreparedLaunch&&) noexcept;
  ~PreparedLaunch();
  std::unique_ptr<LaunchMemory> memory;
};

struct Launched {
  double seconds = 0;
  std::uint64_t error = kNoError;
  std::string message, output; // output: of printf
  std::vector<Finding> findings;
};

// What the kernel calls the allocations that its arguments point into, by where they begin.
std::map<const std::byte*, std::string> argument_names(const KernelShape& shape,
                                                       const void* arguments, const Device& device);

// `variables`: where those of the module lie. `prepared`: of this kernel's launches. After an error
// the process may have been harmed. To be called on a thread of on_large_stack(). Throws
// SimulatorFailure without memory.
Launched launch(const Program::Ready& kernel, const Launch& what, Device& device,
                const std::map<std::string, std::uint64_t>& variables, PreparedLaunch& prepared);

} // namespace gputest::simulator::cuda
