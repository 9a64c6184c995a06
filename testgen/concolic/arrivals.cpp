// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/arrivals.h"

#include <array>
#include <set>
#include <vector>

namespace gputest::testgen {
namespace {

constexpr unsigned kLanes = GPUTEST_WARP_LANES;
// The most events that are looked at for one answer, because a loop may ask many times.
constexpr std::size_t kMostEvents = 1 << 14;

// For each lane, in order: the decisions that determine whether it gets to the place.
using Ways = std::array<std::vector<const Event*>, kLanes>;

Ways ways_to(const Recorder& recorder, const std::set<std::uint32_t>& deciding,
             std::uint32_t first_item) {
  Ways ways;
  for (std::size_t i = recorder.events_begin; i < recorder.events.size(); ++i) {
    const Event& event = recorder.events[i];
    const TracedSite& site = recorder.code.sites[event.site];
    using Kind = TracedSite::Kind;
    if (event.item < first_item || event.item - first_item >= kLanes ||
        (site.kind != Kind::Branch && site.kind != Kind::Switch && site.kind != Kind::Exchange) ||
        !deciding.contains(site.block.first))
      continue;
    ways[event.item - first_item].push_back(&event);
  }
  return ways;
}

class Arrivals {
public:
  explicit Arrivals(Recorder& recorder) : table_(recorder.table), sites_(recorder.code.sites) {}

  // A lane that has come comes again if it decides the same.
  Label came(const std::vector<const Event*>& way) {
    Label all = table_.constant(1, 1);
    for (const Event* event : way)
      all = table_.make(Op::And, 1, all, goes(*event, *event));
    return all;
  }

  // A lane that has not come would come if it decided like one that has.
  Label would_come(const std::vector<const Event*>& way, const std::vector<const Event*>& other) {
    Label all = table_.constant(1, 1);
    for (std::size_t i = 0; i < way.size() && i < other.size(); ++i) {
      if (way[i]->site != other[i]->site)
        break;
      all = table_.make(Op::And, 1, all, goes(*way[i], *other[i]));
      const TracedSite& site = sites_[way[i]->site];
      if (way_of(site, *way[i]) != way_of(site, *other[i]))
        return all;
    }
    return table_.constant(0, 1); // they part where nothing depends on inputs
  }

private:
  Label goes(const Event& event, const Event& as) {
    const TracedSite& site = sites_[event.site];
    return is_way(table_, site, event, way_of(site, as));
  }

  Table& table_;
  const std::vector<TracedSite>& sites_;
};

} // namespace

Label label_of_arrivals(Recorder& recorder, std::uint32_t site, gputest_u64 first,
                        gputest_u32 lanes) {
  const auto place = recorder.code.stops.find(site);
  if (place == recorder.code.stops.end() ||
      recorder.events.size() - recorder.events_begin > kMostEvents)
    return 0;
  const Ways ways =
      ways_to(recorder, place->second, recorder.items_begin + static_cast<std::uint32_t>(first));
  Arrivals arrivals(recorder);
  Table& table = recorder.table;
  const std::vector<const Event*>& other = ways[static_cast<unsigned>(__builtin_ctz(lanes))];
  Label word = 0;
  for (unsigned lane = kLanes; lane-- > 0;) {
    const Label bit =
        lanes >> lane & 1 ? arrivals.came(ways[lane]) : arrivals.would_come(ways[lane], other);
    word = word ? table.make(Op::Concat, kLanes - lane, word, bit) : bit;
  }
  return table[word].op == Op::Constant ? 0 : table.make(Op::ZExt, 64, word);
}

} // namespace gputest::testgen
