// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch begins with on the model of a GPU.
#pragma once

#include "memory/model/machine.h"

namespace gputest::memory {

// Throws model::FormatError if a group of the launch does not fit into a core.
void check_groups(const Gpu& gpu, const LaunchTrace& trace, const Layout& layout);

// Returns counts of references that have what the trace knows without a run.
std::vector<ReferenceCount> counts_at_begin(const LaunchTrace& trace);

// Returns caches that are empty, or as the launch before (LaunchTrace::before) has left them: it
// runs first, from empty caches. Throws as check_groups().
Hierarchy hierarchy_at_begin(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings,
                             const Layout& layout);

// Runs a launch from there on.
struct RunOfLaunch {
  RunCount count;
  Hierarchy left; // as it is when the launch has ended
};
RunOfLaunch run_from(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings,
                     Layout layout, Hierarchy hierarchy);

} // namespace gputest::memory
