// One launch of a kernel of a CUDA program.
#pragma once

#include "simulator/checks/finding.h"
#include "simulator/cuda/device.h"
#include "simulator/execute/natives.h"
#include "simulator/execute/program.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

struct Launch {
  std::array<std::uint64_t, 3> grid{}, block{};  // blocks, and threads of one
  std::uint64_t shared_bytes = 0;                // of dynamic __shared__ memory
  bool cooperative = false;                      // blocks are all there at once
  std::array<std::uint64_t, 3> cluster{1, 1, 1}; // blocks of one, which are there at once
  bool may_wait = false;                         // for the host, or for other launches
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

class RunningLaunch;
struct Launched {
  double seconds = 0;
  std::uint64_t error = kNoError;
  std::string message, output; // output: of printf
  std::vector<Finding> findings;
  std::vector<LaunchByKernel> launches{};   // which have not run yet
  std::shared_ptr<RunningLaunch> running{}; // it may wait, and does: there is nothing else yet
};

// What the kernel calls the allocations that its arguments point into, by where they begin.
std::map<const std::byte*, std::string> argument_names(const KernelShape& shape,
                                                       const void* arguments, const Device& device);

// A launch that may wait for somebody who is not in it: the host, or another launch. To be used on
// a thread of on_large_stack().
class RunningLaunch {
public:
  // `variables`: where those of the module lie. `prepared`: of this kernel's launches. Throws
  // SimulatorFailure without memory.
  RunningLaunch(const Program::Ready& kernel, const Launch& what, Device& device,
                const std::map<std::string, std::uint64_t>& variables, PreparedLaunch& prepared);
  RunningLaunch(const RunningLaunch&) = delete;
  RunningLaunch& operator=(const RunningLaunch&) = delete;
  ~RunningLaunch();

  // For whom it waits.
  enum class For {
    Nobody,   // nothing that it reads can change: all that it waits for is its own
    Launches, // it reads memory of the device
    Host,     // it reads memory that the host may write
    Anybody   // it is not known: it still counts, or looks at the clock
  };

  // Runs until it has ended, true, or waits. It is given `patience` seconds while it only counts.
  bool go_on(double patience);
  For waits_for() const;
  // What it waits for will not come: it ends with kLaunchTimeout, and a message with the place.
  void give_up();
  // What came of it. After an error the process may have been harmed.
  Launched result();

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Until it has ended, or waits. If it may not, it is given up.
Launched launch(const Program::Ready& kernel, const Launch& what, Device& device,
                const std::map<std::string, std::uint64_t>& variables, PreparedLaunch& prepared);

} // namespace gputest::simulator::cuda
