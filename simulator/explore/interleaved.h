// A launch whose work-items, of all groups, run at the same time and are switched wherever one of
// them is about to access memory that others may see.
#pragma once

#include "simulator/execute/launch.h"
#include "simulator/explore/explorer.h"

namespace gputest::simulator {

namespace cuda {
class Device; // simulator/cuda/device.h
}

// What can be explored. The clock of each visit has 4 bytes for each work-item: where there are
// many of these, an interleaving may have fewer visits than the bounds say.
constexpr std::size_t kMostInterleavedItems = 1024;
constexpr std::size_t kMostClockEntries = std::size_t{64} << 20;
constexpr std::size_t kMostOutputBytes = std::size_t{16} << 20;

// Two accesses whose order decides what the outputs are.
struct OrderDependence {
  Finding finding;
  std::size_t before = 0, after = 0; // outcomes (Exploration::schedules)
};

struct ExploredLaunch {
  std::string too_large; // why nothing was explored; empty: it was
  Exploration::End end = Exploration::End::Exhausted;
  std::string stopped_at; // where one interleaving has too many visits
  std::uint64_t interleavings = 0;
  std::size_t outcomes = 0;                        // different ones
  std::vector<std::vector<model::Turn>> schedules; // of the first of them, by their number
  std::vector<OrderDependence> dependences;
  std::vector<Finding> findings; // barriers that diverge, faults
  bool fatal = false;
  double seconds = 0;
};

// `code` is of a variant that is interleaved. Buffers are left as they were. `device`: of a CUDA
// kernel; whoever calls says why such a kernel ended itself (Device::ended). Throws what launch()
// throws, and is to be called where that is.
ExploredLaunch explore_launch(const LoadedCode& code, const KernelShape& shape,
                              const LaunchRequest& request, ExplorationBounds bounds, int memory,
                              cuda::Device* device = nullptr);

// One interleaving of explore_launch(). Throws InputError where `turns` are of work-items that
// there are not, or have no end.
LaunchResult launch_turns(const LoadedCode& code, const KernelShape& shape,
                          const LaunchRequest& request, const std::vector<model::Turn>& turns,
                          int memory, cuda::Device* device = nullptr);

} // namespace gputest::simulator
