// What if work-groups had other sizes: the kernel runs again with each, and then the model.
#pragma once

#include "memory/analysis.h"
#include "memory/trace/tracer.h"

#include <array>
#include <cstdint>
#include <vector>

namespace gputest::memory {

using GroupSize = std::array<std::size_t, 3>;

// At most so many sizes are tried, and none where their runs together would make more accesses of
// work-items than these.
constexpr std::size_t kMostLocalSizes = 6;
constexpr std::uint64_t kMostTriedAccesses = 1'000'000;

// Sizes near the launch's that divide its global size, those of as many work-items first: in
// another shape, twice as many, half as many. None has more than 1,024 work-items or than a core
// holds, and none is smaller than a warp that was full.
std::vector<GroupSize> other_local_sizes(const TracedLaunch& launch, const Gpu& gpu);

// Adds to the report what the model says of them: those that change at least 1 % of the cycles to
// `what_ifs`, and the best one, if it gains, to the warning that tells most of the cycles. A size
// is none where the kernel fails with it, or leaves other bytes in a buffer. A report without
// warnings stays as it is. Throws what tracing the launch throws.
void try_local_sizes(const Gpu& gpu, const Tracer& tracer, const TracedLaunch& launch,
                     CaseReport& report);

} // namespace gputest::memory
