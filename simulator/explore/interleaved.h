// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores the interleavings of a launch. The work-items of all groups run together and are
// switched before each access of memory that others may see.
#pragma once

#include "simulator/execute/launch.h"
#include "simulator/explore/explorer.h"
#include "simulator/natives/natives.h"

namespace gputest::simulator {

// Limits of exploration. The clock of a visit has 4 bytes for each work-item, so with many
// work-items an interleaving may have fewer visits than the bounds allow.
constexpr std::size_t kMostInterleavedItems = 1024;
constexpr std::size_t kMostClockEntries = std::size_t{64} << 20;
constexpr std::size_t kMostOutputBytes = std::size_t{16} << 20;

using ExploredLaunch = wire::Explored;
using OrderDependence = ExploredLaunch::Dependence;

// `code`: an interleaved variant. Buffers do not change. `state`: what the native
// functions of the kernel's language need. To be called on a thread of on_large_stack(). Throws
// what launch() throws.
ExploredLaunch explore_launch(const LoadedCode& code, const ir::KernelShape& shape,
                              const LaunchRequest& request, ExplorationBounds bounds, int memory,
                              std::unique_ptr<LanguageState> state = nullptr);

// Runs one interleaving of explore_launch(). Throws InputError if `turns` name missing work-items
// or do not end.
LaunchResult launch_turns(const LoadedCode& code, const ir::KernelShape& shape,
                          const LaunchRequest& request, const std::vector<model::Turn>& turns,
                          int memory, std::unique_ptr<LanguageState> state = nullptr);

} // namespace gputest::simulator
