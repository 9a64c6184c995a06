// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/begin.h"

#include "model/interface.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::memory {

void check_groups(const Gpu& gpu, const LaunchTrace& trace, const Layout& layout) {
  if (gpu.local_memory && layout.local_size() > gpu.local_memory->size)
    throw model::FormatError(
        fmt::format("error: a work-group of '{}' has {} bytes of __local memory, and a core of "
                    "'{}' has {}",
                    trace.kernel, layout.local_size(), gpu.name, gpu.local_memory->size));
  for (std::size_t group = 0; group < trace.group_count(); ++group)
    if (const std::uint32_t warps = trace.groups[group + 1] - trace.groups[group];
        warps > gpu.warps_per_core)
      throw model::FormatError(
          fmt::format("error: a work-group of '{}' has {} warps, and a core of '{}' holds {}",
                      trace.kernel, warps, gpu.name, gpu.warps_per_core));
}

std::vector<ReferenceCount> counts_at_begin(const LaunchTrace& trace) {
  std::vector<ReferenceCount> counts(trace.references.size());
  for (std::size_t i = 0; i < trace.at_border.size(); ++i)
    counts[i].executions = trace.at_border[i];
  return counts;
}

Hierarchy hierarchy_at_begin(const Gpu& gpu, const LaunchTrace& trace, const RunSettings& settings,
                             const Layout& layout) {
  Hierarchy hierarchy(gpu, settings.alone && !trace.before);
  if (settings.locked) {
    const CacheLevel& cache = gpu.caches.front();
    const std::uint64_t begin = layout.begin_of(*settings.locked) / cache.line;
    const std::uint64_t bytes =
        std::min<std::uint64_t>(trace.objects[*settings.locked].size, cache.size / cache.ways);
    hierarchy.lock(begin, begin + (bytes + cache.line - 1) / cache.line);
  }
  if (!trace.before)
    return hierarchy;
  Hierarchy left = run_from(gpu, *trace.before, {},
                            Layout(*trace.before, trace, layout, gpu.tile()), std::move(hierarchy))
                       .left;
  left.end_launch(settings.alone);
  return left;
}

} // namespace gputest::memory
