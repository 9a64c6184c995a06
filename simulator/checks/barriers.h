// Barriers that not all work-items of a group reach. Every launch is watched for them, because the
// simulator has to decide what comes next: the check itself adds nothing to the kernel's code.
#pragma once

#include "simulator/checks/check.h"

namespace gputest::simulator {

class Barriers {
public:
  explicit Barriers(const WatchedLaunch& launch)
      : shape_(launch.shape), dimensions_(launch.dimensions), context_(launch.context),
        findings_(launch.findings) {}

  struct Passed {
    unsigned site, flags; // the fences that all of them have
  };

  // Every work-item of the group waits at a barrier, or has left the kernel.
  Passed turn();

  // CUDA: those lanes of the warp that begins with thread `first` wait for others that do not come.
  void warp_stuck(std::uint64_t first, std::uint32_t lanes);

  // CUDA: the block that the context names waits for all of its grid, and `left` of them have
  // ended, the first of them `first`.
  void grid_left(std::uint64_t left, std::uint64_t first);

private:
  void report_divergence();

  const KernelShape& shape_;
  unsigned dimensions_;
  gputest_context& context_;
  Findings& findings_;
};

} // namespace gputest::simulator
