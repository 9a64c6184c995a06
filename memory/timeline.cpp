// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/timeline.h"

#include "memory/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
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

Cycles step_of(Cycles cycles) {
  constexpr Cycles kSteps = 240;
  return std::max<Cycles>(1, (cycles + kSteps - 1) / kSteps);
}

model::MemorySets sets_of(const RunCount& count) {
  constexpr std::size_t kMostRows = 64;
  const std::size_t sets_of_row = (count.sets.size() + kMostRows - 1) / kMostRows;
  std::vector<std::vector<SetCount>> rows;
  std::uint64_t most = 0;
  for (std::size_t set = 0; set < count.sets.size(); ++set) {
    if (set % sets_of_row == 0)
      rows.emplace_back(
          static_cast<std::size_t>((count.cycles + step_of(count.cycles)) / step_of(count.cycles)));
    for (std::size_t step = 0; step < count.sets[set].size(); ++step) {
      SetCount& all = rows.back().at(step);
      all.misses += count.sets[set][step].misses;
      all.evicted += count.sets[set][step].evicted;
      most = std::max<std::uint64_t>(most, all.misses);
    }
  }
  model::MemorySets sets{
      .cycles_per_step = step_of(count.cycles), .sets_of_row = sets_of_row, .most = most};
  for (const std::vector<SetCount>& row : rows) {
    std::string text;
    for (const SetCount& one : row)
      text += one.misses == 0
                  ? '.'
                  : static_cast<char>((one.evicted != 0 ? 'A' : 'a') + (9 * one.misses - 1) / most);
    sets.rows.push_back(std::move(text));
  }
  return sets;
}

model::MemoryTimeline steps_of(const RunCount& count) {
  constexpr std::size_t kMostWarps = 64;
  const Cycles step = step_of(count.cycles);
  const auto steps = static_cast<std::size_t>((count.cycles + step - 1) / step);
  std::map<std::uint32_t, std::pair<std::uint32_t, std::vector<std::array<Cycles, 3>>>> warps;
  for (const WarpSpan& span : count.spans) {
    if (span.warp >= kMostWarps)
      continue;
    auto& [core, spent] = warps[span.warp];
    core = span.core;
    spent.resize(steps);
    for (Cycles at = span.begin; at < span.end;) {
      const Cycles end = std::min(span.end, (at / step + 1) * step);
      spent[at / step][static_cast<unsigned>(span.kind)] += end - at;
      at = end;
    }
  }
  model::MemoryTimeline timeline{.cycles_per_step = step};
  for (const auto& [warp, what] : warps) {
    std::string text;
    for (const std::array<Cycles, 3>& spent : what.second) {
      const auto most = static_cast<std::size_t>(std::ranges::max_element(spent) - spent.begin());
      text += spent[most] == 0 ? '.' : "rmb"[most];
    }
    timeline.warps.push_back({.core = what.first, .warp = warp, .steps = std::move(text)});
  }
  return timeline;
}

} // namespace gputest::memory
