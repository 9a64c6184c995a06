#include "memory/json.h"

#include "memory/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gputest::memory {
namespace {

using Json = nlohmann::ordered_json;

Json place_json(const PlaceCount& place) {
  return {{"file", place.reference.file},
          {"line", place.reference.line},
          {"column", place.reference.column},
          {"variable", place.variable}};
}

Json reference_json(const PlaceCount& place) {
  constexpr const char* kAccesses[] = {"read", "write", "atomic"};
  const ReferenceCount& count = place.count;
  Json json = place_json(place);
  json["access"] = kAccesses[static_cast<unsigned>(place.reference.kind)];
  json["memory"] = place.on_chip ? "local" : "global";
  json["executions"] = count.executions;
  json["work_items"] = count.work_items;
  json["transactions"] = count.transactions;
  json["fewest"] = count.fewest;
  json["hits"] = count.hits;
  json["misses"] = count.misses;
  json["reloads"] = count.reloads;
  json["waiting"] = count.waiting;
  json["lost"] = count.lost;
  const auto stride = place.stride();
  json["stride"] = stride ? Json(*stride) : Json(nullptr);
  json["alone"] = name_of(place.alone);
  json["faces_conflict"] = place.faces_conflict;
  json["address_known"] = !place.address_unknown;
  return json;
}

Json warnings_json(const CaseReport& report) {
  constexpr const char* kKinds[] = {"transactions", "bank-conflicts", "interference", "reloads",
                                    "busy-banks"};
  Json json = Json::array();
  for (const Warning& warning : report.warnings) {
    Json one = place_json(report.places[warning.place]);
    one["kind"] = kKinds[static_cast<unsigned>(warning.kind)];
    one["message"] = warning.message;
    one["because"] = warning.because;
    one["what_if"] = Json::array();
    for (const std::size_t index : warning.what_ifs)
      one["what_if"].push_back({{"text", report.what_ifs[index].text},
                                {"gain_percent", report.what_ifs[index].gain_percent}});
    json.push_back(std::move(one));
  }
  return json;
}

} // namespace

Json phases_json(const WarpChoice& choice) {
  Json json = Json::array();
  for (const WarpChoice::Phase& phase : choice.phases)
    json.push_back(
        {{"begin", phase.begin}, {"schedule", name_of(phase.kind)}, {"seed", phase.seed}});
  return json;
}

Json interferences_json(const CaseReport& report) {
  Json json = Json::array();
  for (const InterferenceCount& one : report.interferences) {
    Json found = place_json(report.places[one.place]);
    found["evicted_by"] = place_json(report.places[one.evictor]);
    found["lines"] = one.count.lines;
    found["waiting"] = one.count.waiting;
    found["sets"] = one.count.sets;
    json.push_back(std::move(found));
  }
  return json;
}

Json case_json(const CaseReport& report) {
  Json json{{"name", report.name},
            {"schedule", name_of(report.choice.kind)},
            {"seed", report.choice.seed},
            {"phases", phases_json(report.choice)},
            {"schedules_tried", report.schedules_tried},
            {"replay", report.replay.empty() ? Json(nullptr) : Json(report.replay)},
            {"cycles", report.count.cycles},
            {"overhead", report.count.lost},
            {"cycles_without_evictions", report.alone},
            {"condition", report.condition.empty() ? Json(nullptr) : Json(report.condition)},
            {"instructions", report.count.instructions},
            {"dram_requests", report.count.dram_requests},
            {"dram_row_hits", report.count.dram_row_hits},
            {"caches", Json::array()},
            {"references", Json::array()},
            {"interferences", interferences_json(report)},
            {"warnings", warnings_json(report)},
            {"local_sizes_tried", report.local_sizes_tried},
            {"what_if", Json::array()}};
  for (const LevelCount& level : report.count.caches)
    json["caches"].push_back({{"hits", level.hits}, {"misses", level.misses}});
  for (const PlaceCount& place : report.places)
    json["references"].push_back(reference_json(place));
  if (!report.count.spans.empty())
    json["timeline"] = steps_json(report.count);
  if (!report.count.sets.empty())
    json["cache_sets"] = sets_json(report.count);
  for (const WhatIf& what : report.what_ifs)
    json["what_if"].push_back(
        {{"variable", what.variable},
         {"moved", what.change.moved},
         {"row", what.change.row},
         {"padding", what.change.padding},
         {"locked", what.locked},
         {"bank_bytes", what.bank_bytes},
         {"local_size", what.local_size[0] == 0 ? Json(nullptr) : Json(what.local_size)},
         {"cycles", what.cycles},
         {"gain_percent", what.gain_percent}});
  return json;
}

} // namespace gputest::memory
