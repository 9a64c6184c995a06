// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/local_sizes.h"

#include "ir/error.h"
#include "memory/what_if.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <optional>
#include <span>

namespace gputest::memory {
namespace {

constexpr std::size_t kMostItems = 1024; // of a group, as GPUs take them
constexpr double kSeconds = 5;           // of one run

std::size_t items_of(const GroupSize& size) {
  return size[0] * size[1] * size[2];
}

// Returns the warning that another local size helps most.
Warning* warning_of(CaseReport& report) {
  using Kind = Warning::Kind;
  for (const Kind kind : {Kind::Interference, Kind::BusyBanks, Kind::Reloads, Kind::Transactions,
                          Kind::BankConflicts})
    for (Warning& warning : report.warnings)
      if (warning.kind == kind)
        return &warning;
  return nullptr;
}

// Returns the layout of an object that alone helps most; nullopt: none helps.
std::optional<WhatIf> best_layout(const CaseReport& report) {
  std::optional<WhatIf> best;
  for (const WhatIf& what : report.what_ifs) {
    const LayoutChange plain{.object = what.change.object};
    if (what.change != plain && !what.locked && what.gain_percent > 0 &&
        (!best || what.cycles < best->cycles))
      best = what;
  }
  return best;
}

std::uint64_t accesses_of(const CaseReport& report) {
  std::uint64_t accesses = 0;
  for (const ReferenceCount& count : report.count.references)
    accesses += count.work_items;
  return accesses;
}

} // namespace

std::vector<GroupSize> other_local_sizes(const TracedLaunch& launch, const Gpu& gpu) {
  const GroupSize& now = launch.sizes.local;
  const std::size_t most = std::min(kMostItems, gpu.warps_per_core * gpu.warp_size),
                    least = std::max(std::min(items_of(now), gpu.warp_size), launch.lock_step);
  std::vector<GroupSize> sizes;
  const auto add = [&](const GroupSize& size) {
    const std::size_t items = items_of(size);
    if (size == now || items < least || items > most ||
        std::ranges::find(sizes, size) != sizes.end())
      return;
    for (unsigned i = 0; i < 3; ++i)
      if (size[i] == 0 || launch.sizes.global[i] % size[i] != 0)
        return;
    sizes.push_back(size);
  };
  const unsigned dimensions = launch.sizes.dimensions;
  for (unsigned wider = 0; wider < dimensions; ++wider)
    for (unsigned other = 0; other < dimensions; ++other)
      if (wider != other && now[other] % 2 == 0) {
        GroupSize size = now;
        size[wider] *= 2;
        size[other] /= 2;
        add(size);
      }
  for (unsigned i = 0; i < dimensions; ++i) {
    GroupSize size = now;
    size[i] *= 2;
    add(size);
  }
  for (unsigned i = 0; i < dimensions; ++i)
    if (now[i] % 2 == 0) {
      GroupSize size = now;
      size[i] /= 2;
      add(size);
    }
  return sizes;
}

namespace {

void try_sizes(const Gpu& gpu, const Tracer& tracer, const TracedLaunch& launch,
               CaseReport& report) {
  Warning* const warning = warning_of(report);
  const std::uint64_t runs = kMostTriedAccesses / std::max<std::uint64_t>(1, accesses_of(report));
  if (!warning || runs < 2) // one run is that of the present size
    return;
  std::vector<GroupSize> sizes = other_local_sizes(launch, gpu);
  sizes.resize(std::min({sizes.size(), kMostLocalSizes, static_cast<std::size_t>(runs - 1)}));
  if (sizes.empty())
    return;
  std::vector<std::byte> expected, results;
  tracer.trace(launch, gpu.warps(), &expected);
  std::optional<std::size_t> best;
  const std::optional<WhatIf> layout = best_layout(report);
  std::optional<WhatIf> together;
  for (const GroupSize& size : sizes) {
    TracedLaunch other = launch;
    other.sizes.local = size;
    other.limit = kSeconds;
    std::optional<LaunchTrace> trace;
    try {
      trace = tracer.trace(other, gpu.warps(), &results);
    } catch (const ir::InputError&) { // the kernel does not work with that size
      continue;
    }
    ++report.local_sizes_tried;
    // A __local array may be too small for another size, and the results right by luck.
    if (results != expected || leaves_an_object(*trace))
      continue;
    WhatIf what{.change = {}, .local_size = size};
    what.text = fmt::format("work-groups of {} work-items",
                            fmt::join(std::span(size).first(launch.sizes.dimensions), " x "));
    what.cycles = run(gpu, *trace, {.choice = report.choice}).cycles;
    what.gain_percent = gain_percent(report, what.cycles);
    if (layout) {
      WhatIf both = *layout;
      both.local_size = size;
      both.text = fmt::format("{} and {}", what.text, layout->text);
      both.cycles = run(gpu, *trace, {.choice = report.choice, .changes = {layout->change}}).cycles;
      if (!together || both.cycles < together->cycles)
        together = std::move(both);
    }
    if (what.gain_percent < kLeastGain)
      continue;
    if ((!best || what.cycles < report.what_ifs[*best].cycles))
      best = report.what_ifs.size();
    report.what_ifs.push_back(std::move(what));
  }
  if (best)
    warning->what_ifs.push_back(*best);
  if (!together)
    return;
  const Cycles alone =
      best ? std::min(layout->cycles, report.what_ifs[*best].cycles) : layout->cycles;
  together->gain_percent = gain_percent(report, together->cycles);
  if (together->gain_percent < gain_percent(report, alone) + kLeastGain)
    return;
  warning->what_ifs.push_back(report.what_ifs.size());
  report.what_ifs.push_back(std::move(*together));
}

} // namespace

void try_local_sizes(const Gpu& gpu, const Tracer& tracer, const TracedLaunch& launch,
                     CaseReport& report) {
  try {
    try_sizes(gpu, tracer, launch, report);
  } catch (const ir::SimulatorFailure&) { // results without this size stay
  } catch (const std::bad_alloc&) {       // likewise
  }
}

} // namespace gputest::memory
