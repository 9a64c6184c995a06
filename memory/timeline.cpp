#include "memory/timeline.h"

#include "memory/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gputest::memory {
namespace {

using Json = nlohmann::ordered_json;

Json name_json(const char* what, std::uint32_t core, std::uint32_t warp, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", core}, {"tid", warp}, {"args", {{"name", name}}}};
}

} // namespace

Json timeline_json(const RunCount& count, const CaseReport& report) {
  constexpr const char* kNames[] = {"runs", "waits for memory", "waits at a barrier"};
  Json events = Json::array();
  std::set<std::uint32_t> cores;
  std::set<std::pair<std::uint32_t, std::uint32_t>> warps;
  for (const WarpSpan& span : count.spans) {
    if (cores.insert(span.core).second)
      events.push_back(name_json("process_name", span.core, 0, fmt::format("core {}", span.core)));
    if (warps.insert({span.core, span.warp}).second)
      events.push_back(
          name_json("thread_name", span.core, span.warp, fmt::format("warp {}", span.warp)));
    Json event{{"name", kNames[static_cast<unsigned>(span.kind)]},
               {"ph", "X"},
               {"pid", span.core},
               {"tid", span.warp},
               {"ts", span.begin},
               {"dur", span.end - span.begin}};
    if (span.kind == WarpSpan::Kind::WaitsForMemory) {
      const PlaceCount& place = report.places[report.place_of[span.reference]];
      event["args"] = {{"place", place_text(place)}, {"access", accesses_text(place)}};
    }
    events.push_back(std::move(event));
  }
  return {{"traceEvents", std::move(events)},
          {"displayTimeUnit", "ms"},
          {"otherData", {{"case", report.name}, {"unit", "a microsecond is a cycle"}}}};
}

} // namespace gputest::memory
