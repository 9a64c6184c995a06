// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/reuse.h"

#include "memory/model/coalesce.h"
#include "memory/model/layout.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gputest::memory {
namespace {

class Gathering {
public:
  Gathering(const Gpu& gpu, const LaunchTrace& trace)
      : gpu_(gpu), trace_(trace), layout_(trace, {}, gpu.tile()), written_(trace.objects.size()) {}

  std::vector<Reuse> run() {
    for (std::size_t group = 0; group < trace_.group_count(); ++group) {
      for (std::uint32_t warp = trace_.groups[group]; warp < trace_.groups[group + 1]; ++warp)
        look_at(warp);
      for (auto& [object, sectors] : sectors_) {
        Reuse& all = found_[object];
        all.object = object;
        all.sectors += sectors.size();
        for (const auto& [number, sector] : sectors) {
          all.reads += sector.reads;
          all.warps += sector.warps;
        }
      }
      sectors_.clear();
    }
    std::vector<Reuse> often;
    for (const auto& [object, reuse] : found_)
      if (!written_[object] && reuse.times() >= kOftenRead && reuse.warps_of_sector() >= kOftenRead)
        often.push_back(reuse);
    return often;
  }

private:
  struct Sector {
    std::uint64_t reads = 0, warps = 0;
    std::uint32_t last = 0; // the warp that has read it last
  };

  bool is_global(std::uint32_t object) const {
    const MemoryObject& one = trace_.objects[object];
    return !one.local && !one.own && !one.image && !one.part_of &&
           !(one.constant && gpu_.constant_cache);
  }

  void look_at(std::uint32_t warp) {
    WarpEvent event;
    for (WarpReader reader(trace_, trace_.warps[warp]); reader.next(event);) {
      if (event.kind != WarpEvent::Kind::Access)
        continue;
      if (trace_.references[event.reference].kind != Reference::Kind::Read) {
        for (const Place& place : event.places)
          written_[trace_.objects[place.object].part_of.value_or(place.object)] = true;
        continue;
      }
      const std::uint32_t object = event.places.front().object;
      if (!is_global(object) || !std::ranges::all_of(event.places, [&](const Place& place) {
            return place.object == object;
          }))
        continue;
      lanes_.clear();
      for (const Place& place : event.places)
        lanes_.push_back(
            {.address = layout_.address(place, 0), .size = place.size, .lane = place.lane});
      coalesce(lanes_, sectors_level_, requests_);
      for (const LineRequest& request : requests_) {
        const auto [sector, added] = sectors_[object].try_emplace(request.number);
        Sector& one = sector->second;
        ++one.reads;
        if (added || one.last != warp)
          ++one.warps;
        one.last = warp;
      }
    }
  }

  static CacheLevel level_of(const CacheLevel& nearest) {
    CacheLevel level;
    level.line = level.sector = nearest.sector;
    return level;
  }

  const Gpu& gpu_;
  const LaunchTrace& trace_;
  const Layout layout_;
  const CacheLevel sectors_level_ = level_of(gpu_.caches.front());
  std::vector<bool> written_;                                                  // by object
  std::map<std::uint32_t, std::unordered_map<std::uint64_t, Sector>> sectors_; // of a group
  std::map<std::uint32_t, Reuse> found_;
  std::vector<LaneAccess> lanes_;
  std::vector<LineRequest> requests_;
};

} // namespace

std::vector<Reuse> reuse_of(const Gpu& gpu, const LaunchTrace& trace) {
  return gpu.local_memory ? Gathering(gpu, trace).run() : std::vector<Reuse>();
}

} // namespace gputest::memory
