// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/memory/results.h"

#include "model/json.h"

namespace gputest::model {

static constexpr auto fields_of(const MemoryPlace*) {
  using T = MemoryPlace;
  return std::tuple{field("file", &T::file), field("line", &T::line), field("column", &T::column),
                    field("variable", &T::variable)};
}
constexpr auto kFieldsOfPlace = fields_of(static_cast<const MemoryPlace*>(nullptr));

static constexpr auto fields_of(const MemoryReference*) {
  using T = MemoryReference;
  return std::tuple_cat(
      kFieldsOfPlace,
      std::tuple{field("access", &T::access), field<Presence::Written>("memory", &T::memory),
                 field("executions", &T::executions),
                 field<Presence::Written>("work_items", &T::work_items),
                 field("transactions", &T::transactions), field("fewest", &T::fewest),
                 field("hits", &T::hits), field("misses", &T::misses),
                 field<Presence::Written>("reloads", &T::reloads), field("waiting", &T::waiting),
                 field("lost", &T::lost), field("stride", &T::stride),
                 field<Presence::Written>("alone", &T::alone),
                 field<Presence::Written>("faces_conflict", &T::faces_conflict),
                 field<Presence::Written>("address_known", &T::address_known)});
}
static constexpr auto fields_of(const MemoryInterference*) {
  using T = MemoryInterference;
  return std::tuple_cat(kFieldsOfPlace,
                        std::tuple{field("evicted_by", &T::evicted_by), field("lines", &T::lines),
                                   field("waiting", &T::waiting), field("sets", &T::sets)});
}
static constexpr auto fields_of(const MemoryWarning::Remedy*) {
  using T = MemoryWarning::Remedy;
  return std::tuple{field("text", &T::text), field("gain_percent", &T::gain_percent)};
}
static constexpr auto fields_of(const MemoryWarning*) {
  using T = MemoryWarning;
  return std::tuple_cat(kFieldsOfPlace,
                        std::tuple{field("kind", &T::kind), field("message", &T::message),
                                   field("because", &T::because), field("what_if", &T::what_ifs)});
}
static constexpr auto fields_of(const MemoryWhatIf*) {
  using T = MemoryWhatIf;
  return std::tuple{field("variable", &T::variable),
                    field("moved", &T::moved),
                    field("row", &T::row),
                    field("padding", &T::padding),
                    field<Presence::IfNotPlain>("element", &T::element),
                    field<Presence::IfNotPlain>("memory", &T::memory),
                    field<Presence::IfNotPlain>("by_rows", &T::by_rows),
                    field("locked", &T::locked),
                    field("bank_bytes", &T::bank_bytes),
                    field<Presence::IfNotPlain>("in_tiles", &T::in_tiles),
                    field<Presence::IfNotPlain>("neighbours", &T::neighbours),
                    field("local_size", &T::local_size),
                    field("cycles", &T::cycles),
                    field("gain_percent", &T::gain_percent)};
}
static constexpr auto fields_of(const MemoryPhase*) {
  using T = MemoryPhase;
  return std::tuple{field("begin", &T::begin), field("schedule", &T::schedule),
                    field("seed", &T::seed)};
}
static constexpr auto fields_of(const MemoryCache*) {
  return std::tuple{field("hits", &MemoryCache::hits), field("misses", &MemoryCache::misses)};
}
static constexpr auto fields_of(const MemoryTimeline::Warp*) {
  using T = MemoryTimeline::Warp;
  return std::tuple{field("core", &T::core), field("warp", &T::warp), field("steps", &T::steps)};
}
static constexpr auto fields_of(const MemoryTimeline*) {
  using T = MemoryTimeline;
  return std::tuple{field("cycles_per_step", &T::cycles_per_step), field("warps", &T::warps)};
}
static constexpr auto fields_of(const MemorySets*) {
  using T = MemorySets;
  return std::tuple{field("cycles_per_step", &T::cycles_per_step),
                    field("sets_of_row", &T::sets_of_row), field("most", &T::most),
                    field("rows", &T::rows)};
}
static constexpr auto fields_of(const MemoryCase*) {
  using T = MemoryCase;
  return std::tuple{
      field("name", &T::name),
      field("schedule", &T::schedule),
      field<Presence::Written>("seed", &T::seed),
      field<Presence::Written>("phases", &T::phases),
      field<Presence::Written>("schedules_tried", &T::schedules_tried),
      field("replay", &T::replay),
      field<Presence::IfNotPlain>("before", &T::before),
      field("cycles", &T::cycles),
      field("overhead", &T::overhead),
      field<Presence::Written>("cycles_without_evictions", &T::cycles_without_evictions),
      field("condition", &T::condition),
      field("instructions", &T::instructions),
      field<Presence::Written>("dram_requests", &T::dram_requests),
      field<Presence::Written>("dram_row_hits", &T::dram_row_hits),
      field<Presence::Written>("caches", &T::caches),
      field("references", &T::references),
      field<Presence::Written>("interferences", &T::interferences),
      field("warnings", &T::warnings),
      field<Presence::Written>("local_sizes_tried", &T::local_sizes_tried),
      field<Presence::Written>("what_if", &T::what_ifs),
      field<Presence::IfNotPlain>("hints", &T::hints),
      field<Presence::IfNotPlain>("timeline", &T::timeline),
      field<Presence::IfNotPlain>("cache_sets", &T::sets)};
}
static constexpr auto fields_of(const MemoryProgress*) {
  using T = MemoryProgress;
  return std::tuple{field("seconds", &T::seconds), field("executions", &T::executions),
                    field("issues", &T::issues), field<Presence::Written>("lost", &T::lost),
                    field("overhead_percent", &T::overhead_percent)};
}
static constexpr auto fields_of(const MemoryCurve*) {
  using T = MemoryCurve;
  return std::tuple{field("strategy", &T::strategy), field("progress", &T::progress)};
}
static constexpr auto fields_of(const MemoryGeneration*) {
  using T = MemoryGeneration;
  return std::tuple{field("strategy", &T::strategy),
                    field<Presence::Written>("seed", &T::seed),
                    field<Presence::Written>("budget", &T::budget),
                    field("seconds", &T::seconds),
                    field("executions", &T::executions),
                    field("states", &T::states),
                    field("solved", &T::solved),
                    field("faulty", &T::faulty),
                    field("note", &T::note),
                    field("progress", &T::progress),
                    field<Presence::Written>("compared", &T::compared),
                    field<Presence::IfNotPlain>("run", &T::run)};
}
static constexpr auto fields_of(const MemoryCoverage*) {
  using T = MemoryCoverage;
  return std::tuple{field("explored", &T::explored), field("total", &T::total)};
}
static constexpr auto fields_of(const MemoryPatch*) {
  using T = MemoryPatch;
  return std::tuple{field("text", &T::text),
                    field("diff", &T::diff),
                    field("cycles_before", &T::cycles_before),
                    field("cycles", &T::cycles),
                    field("cases", &T::cases),
                    field("swaps_launch", &T::swaps_launch),
                    field("gain_percent", &T::gain_percent)};
}
static constexpr auto fields_of(const MemoryResults*) {
  using T = MemoryResults;
  return std::tuple{field("kernel", &T::kernel),
                    field("source", &T::source),
                    field("gpu", &T::gpu),
                    field("strategy", &T::strategy),
                    field<Presence::Written>("schedule", &T::schedule),
                    field<Presence::Written>("seed", &T::seed),
                    field<Presence::Written>("cycles", &T::cycles),
                    field<Presence::Written>("overhead_percent", &T::overhead_percent),
                    field("coverage", &T::coverage),
                    field<Presence::IfNotPlain>("patches", &T::patches),
                    field<Presence::Written>("missed", &T::missed),
                    field("cases", &T::cases),
                    field<Presence::IfNotPlain>("generation", &T::generation),
                    field<Presence::IfNotPlain>("content", &T::content)};
}

Json to_json(const MemoryResults& results) {
  Json json{{"format", kMemoryFormat}};
  write_fields(json, results, fields_of(&results));
  return json;
}
MemoryResults memory_results_from_json(const Json& json) {
  expect_format(json, kMemoryFormat);
  MemoryResults results;
  read_fields(json, results, fields_of(&results));
  return results;
}
MemoryResults read_memory_results(const std::filesystem::path& file) {
  return read_json_file(file, memory_results_from_json);
}

Json to_json(const MemoryCase& one) {
  Json json;
  write_fields(json, one, fields_of(&one));
  return json;
}
std::vector<MemoryPhase> memory_phases_from_json(const Json& json) {
  return required<std::vector<MemoryPhase>>(json, "phases");
}

} // namespace gputest::model
