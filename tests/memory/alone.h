// What a cache does for a work-item that runs alone and begins with an empty one, beside what the
// static analysis says of it.
#pragma once

#include "memory/model/hierarchy.h"
#include "memory/model/layout.h"
#include "memory/static/classify.h"
#include "memory/trace/tracer.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>

namespace gputest::memory::tests {

struct AloneCount {
  std::size_t hits = 0, misses = 0, kept = 0; // references of work-items, by what was proved
  std::size_t open = 0;                       // not classified
  std::string wrong;                          // the first that is not as was said
};

constexpr std::size_t kMostItems = 256; // of larger launches so many are looked at, evenly spread

inline void run_alone(const Gpu& gpu, const LaunchTrace& trace, const StaticReport& report,
                      AloneCount& count) {
  Gpu alone = gpu;
  alone.cores = 1;
  alone.caches.resize(1);
  const Layout layout(trace, {}, gpu.tile());
  const std::size_t step = trace.warps.size() / kMostItems + 1;
  for (std::size_t item = 0; item < trace.warps.size(); item += step) {
    Hierarchy hierarchy(alone, false);
    std::vector<std::uint64_t> hits(trace.references.size()), misses(trace.references.size());
    std::vector<std::map<std::pair<std::uint64_t, unsigned>, unsigned>> missed(
        trace.references.size()); // by line and sector
    WarpReader reader(trace, trace.warps[item]);
    WarpEvent event;
    std::vector<LaneAccess> lanes;
    std::vector<LineRequest> requests;
    while (reader.next(event)) {
      if (event.kind != WarpEvent::Kind::Access)
        continue;
      const MemoryObject& object = trace.objects[event.places.front().object];
      const bool constant = object.constant || trace.references[event.reference].constant;
      if ((gpu.local_memory && object.local) || (gpu.constant_cache && constant))
        continue;
      const Reference::Kind kind = trace.references[event.reference].kind;
      if (object.image && gpu.texture && gpu.texture->cache && kind == Reference::Kind::Read)
        continue;
      lanes.clear();
      for (const Place& place : event.places)
        lanes.push_back({.address = layout.address(place, 0), .size = place.size});
      coalesce(lanes, alone.caches.front(), requests);
      for (const LineRequest& request : requests)
        for (unsigned sector = 0; sector < kMostSectors; ++sector) {
          if ((request.sectors >> sector & 1) == 0)
            continue;
          LineRequest one = request; // sector by sector, to know which of them is missing
          one.sectors = request.sectors & 1U << sector;
          one.covered = request.covered & one.sectors;
          const Served served =
              hierarchy.request({}, 0, one,
                                kind == Reference::Kind::Read    ? Operation::Read
                                : kind == Reference::Kind::Write ? Operation::Write
                                                                 : Operation::Atomic);
          hits[event.reference] += served.hits;
          misses[event.reference] += served.misses;
          if (served.misses != 0)
            ++missed[event.reference][{request.number, sector}];
        }
    }
    for (std::uint32_t i = 0; i < trace.references.size(); ++i) {
      const Certainty said = report.certainty(item, i);
      const bool again =
          std::ranges::any_of(missed[i], [](const auto& one) { return one.second > 1; });
      const bool runs = hits[i] + misses[i] != 0;
      count.hits += said == Certainty::AlwaysHit;
      count.misses += said == Certainty::AlwaysMiss;
      count.kept += said == Certainty::Persistent;
      count.open += said == Certainty::NotClassified;
      if ((said == Certainty::AlwaysHit && misses[i] != 0) ||
          (said == Certainty::AlwaysMiss && hits[i] != 0) ||
          (said == Certainty::Persistent && again) || (said == Certainty::NotRun && runs)) {
        if (count.wrong.empty())
          count.wrong =
              fmt::format("{}:{}:{}: work-item {} has {} hits and {} misses where it {}",
                          trace.references[i].file, trace.references[i].line,
                          trace.references[i].column, item, hits[i], misses[i], name_of(said));
      }
    }
  }
}

inline AloneCount alone(const Tracer& tracer, const TracedLaunch& launch, const Gpu& gpu) {
  AloneCount count;
  const StaticReport report = tracer.classify(launch, gpu);
  run_alone(gpu, tracer.trace(launch, {.size = 1, .private_arrays = gpu.private_arrays}), report,
            count);
  return count;
}

} // namespace gputest::memory::tests
