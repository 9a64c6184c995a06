// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch of a CUDA program's kernel.
#pragma once

#include "simulator/checks/check.h"
#include "simulator/cuda/device.h"
#include "simulator/execute/program.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

struct Launch {
  std::array<std::uint64_t, 3> grid{}, block{};   // in blocks; in threads
  std::uint64_t shared_bytes = 0;                 // bytes of dynamic __shared__ memory
  bool cooperative = false;                       // all blocks are resident at once
  std::array<std::uint64_t, 3> cluster{1, 1, 1};  // in blocks, which are resident at once
  bool may_wait = false;                          // for the host or for other launches
  std::string arguments;                          // the block that the kernel's shape describes
  double limit = 0;                               // seconds; 0: no limit
  std::vector<std::uint32_t> order{};             // linear ids of blocks; empty: ascending
  AccessesWanted accesses = AccessesWanted::None; // what the footprint has
  bool forgives =
      true; // accesses a few bytes past an allocation, as a GPU does (Device::open_padding)
};

// Memory that launches of one kernel and size reuse.
class LaunchMemory;
struct PreparedLaunch {
  PreparedLaunch();
  PreparedLaunch(PreparedLaunch&&) noexcept;
  PreparedLaunch& operator=(PreparedLaunch&&) noexcept;
  ~PreparedLaunch();
  std::unique_ptr<LaunchMemory> memory;
};

// Returns the finding about a kernel that has ended itself, at the place that did so.
Finding finding_of_end(const Device::End& end, const Program::Ready& kernel);

// Which bytes a launch has accessed, and where in its code. `site` of a range is an index of
// `places`.
struct Footprint {
  std::vector<model::CodePlace> places;
  std::vector<Accessed> ranges;
  bool signals = false; // it orders its accesses for others, by fences or atomic operations
  void add(const Footprint& other);
};

class RunningLaunch;
struct Launched {
  double seconds = 0;
  std::uint64_t error = kNoError;
  std::string message, output; // output: that of printf()
  std::vector<Finding> findings;
  std::vector<Finding> notes{};    // Monitor::notes()
  std::vector<Finding> forgiven{}; // accesses that have not ended it (Launch::forgives)
  Footprint footprint{};
  std::vector<LaunchByKernel> launches{};   // by the kernel; they have not run yet
  std::shared_ptr<RunningLaunch> running{}; // set if the launch waits; the rest is then empty
};

// Returns the kernel's names of the allocations that its arguments point into, by their begins.
std::map<const std::byte*, std::string> argument_names(const ir::KernelShape& shape,
                                                       const void* arguments, const Device& device);

// A launch that may wait for the host or for another launch. To be used on a thread of
// on_large_stack().
class RunningLaunch {
public:
  // `variables`: addresses of the module's variables. `prepared`: that of this kernel. Throws
  // SimulatorFailure without memory.
  RunningLaunch(const Program::Ready& kernel, const Launch& what, Device& device,
                const std::map<std::string, std::uint64_t>& variables, PreparedLaunch& prepared);
  RunningLaunch(const RunningLaunch&) = delete;
  RunningLaunch& operator=(const RunningLaunch&) = delete;
  ~RunningLaunch();

  using For = WaitsFor;

  // Runs until the launch has ended (true) or waits (false). `patience`: seconds that it may only
  // count.
  bool go_on(double patience);
  For waits_for() const;
  // Ends the launch with kLaunchTimeout and a message with the place, because its wait will not
  // end.
  void give_up();
  // Returns the result. After an error the process may be damaged.
  Launched result();

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Runs a launch until it has ended or waits. If it waits but must not (Launch::may_wait), it is
// given up.
Launched launch(const Program::Ready& kernel, const Launch& what, Device& device,
                const std::map<std::string, std::uint64_t>& variables, PreparedLaunch& prepared);

} // namespace gputest::simulator::cuda
