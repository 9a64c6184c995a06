// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds barriers that not all work-items of a group reach. Every launch is watched, because the
// simulator must decide how to go on. The check adds nothing to the kernel's code.
#pragma once

#include "simulator/checks/check.h"

namespace gputest::simulator {

class Barriers {
public:
  explicit Barriers(const WatchedLaunch& launch)
      : shape_(launch.shape), dimensions_(launch.dimensions), context_(launch.context),
        findings_(launch.findings) {}

  struct Passed {
    unsigned site, flags; // the fences that all work-items have at it
  };

  // To be called when each work-item of the group waits at a barrier or has left the kernel.
  // Reports divergence. Returns the site and fences of the barrier.
  Passed turn();

  // CUDA: lanes `lanes` of the warp that begins with thread `first` wait for others that do not
  // come.
  void warp_stuck(std::uint64_t first, std::uint32_t lanes);

  // CUDA: the context's block waits for all blocks of its grid, but `left` of them have ended;
  // `first` is the first of these.
  void grid_left(std::uint64_t left, std::uint64_t first);

private:
  void report_divergence();

  const KernelShape& shape_;
  unsigned dimensions_;
  gputest_context& context_;
  Findings& findings_;
};

} // namespace gputest::simulator
