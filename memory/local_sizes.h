// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries other sizes of work-groups: runs the kernel and the model with each.
#pragma once

#include "memory/analysis.h"
#include "memory/trace/tracer.h"

#include <array>
#include <cstdint>
#include <vector>

namespace gputest::memory {

using GroupSize = std::array<std::size_t, 3>;

// Limits: the most sizes that are tried, and the most accesses of work-items in their runs
// together. With more accesses, no size is tried.
constexpr std::size_t kMostLocalSizes = 6;
constexpr std::uint64_t kMostTriedAccesses = 1'000'000;

// Returns sizes near the launch's that divide its global size: first other shapes with as many
// work-items, then twice as many, then half as many. None exceeds 1,024 work-items or a core. If
// the launch has full warps, so do they.
std::vector<GroupSize> other_local_sizes(const TracedLaunch& launch, const Gpu& gpu);

// Adds sizes that save at least 1 % of the cycles to the report's `what_ifs`. The best one, if it
// gains, goes to the most important warning. So does the best one together with the layout that
// alone helps most, if both save 1 % more than each of them. A size with which the kernel fails or
// leaves other bytes in a buffer is skipped. A report without warnings is not changed. Throws what
// tracing the launch throws.
void try_local_sizes(const Gpu& gpu, const Tracer& tracer, const TracedLaunch& launch,
                     CaseReport& report);

} // namespace gputest::memory
