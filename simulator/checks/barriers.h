// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds barriers that not all work-items of a group reach. Every launch is watched, because the
// simulator must decide how to go on. The check adds nothing to the kernel's code.
#pragma once

#include "simulator/checks/check.h"

#include <set>
#include <span>
#include <vector>

namespace gputest::simulator {

class Barriers {
public:
  // `exits`: whether the check of exits is made.
  Barriers(const WatchedLaunch& launch, bool exits)
      : shape_(launch.shape), dimensions_(launch.dimensions), context_(launch.context),
        findings_(launch.findings), exits_(exits) {}

  struct Passed {
    unsigned site, flags; // the fences that all work-items have at it
  };

  // To be called when each work-item of the group waits at a barrier or has left the kernel.
  // Reports divergence. Returns the site and fences of the barrier.
  Passed turn();

  // CUDA: lanes `lanes` of the warp that begins with thread `first` wait for others that do not
  // come.
  void warp_stuck(std::uint64_t first, std::uint64_t lanes);

  // CUDA: lanes `lanes` of that warp have called with a mask that does not name them.
  void warp_unnamed(std::uint64_t first, std::uint64_t lanes);

  // OpenCL C: these lanes of the sub-group take values of lanes that have not come with them.
  void warp_absent(std::uint64_t first, std::uint64_t lanes);

  // CUDA: the context's block waits for all blocks of its grid, but `left` of them have ended;
  // `first` is the first of these.
  void grid_left(std::uint64_t left, std::uint64_t first);

  // CUDA, without the check of exits: barriers that some threads have left the kernel before, each
  // once. They are no findings.
  const std::vector<Finding>& notes() const { return notes_; }

private:
  std::string mask_of(std::uint64_t item) const; // "0x0000ffff"
  void report_divergence();
  void report_exits(unsigned site, std::span<const std::uint32_t> statuses);

  const ir::KernelShape& shape_;
  unsigned dimensions_;
  gputest_context& context_;
  Findings& findings_;
  bool exits_;
  std::set<unsigned> noted_; // sites
  std::vector<Finding> notes_;
};

} // namespace gputest::simulator
