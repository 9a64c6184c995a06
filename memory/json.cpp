// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/json.h"

#include "memory/timeline.h"

namespace gputest::memory {
namespace {

std::optional<std::string> if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

model::MemoryPlace place_of(const PlaceCount& place) {
  return {.file = place.reference.file,
          .line = place.reference.line,
          .column = place.reference.column,
          .variable = place.variable};
}

model::MemoryReference reference_of(const PlaceCount& place) {
  constexpr const char* kAccesses[] = {"read", "write", "atomic"};
  const ReferenceCount& count = place.count;
  model::MemoryReference found{place_of(place)};
  found.access = kAccesses[static_cast<unsigned>(place.reference.kind)];
  found.memory = place.on_chip    ? "local"
                 : place.constant ? "constant"
                 : place.own      ? "private"
                 : place.image    ? "image"
                                  : "global";
  found.executions = count.executions;
  found.work_items = count.work_items;
  found.transactions = count.transactions;
  found.fewest = count.fewest;
  found.hits = count.hits;
  found.misses = count.misses;
  found.reloads = count.reloads;
  found.waiting = count.waiting;
  found.lost = count.lost;
  found.stride = place.stride();
  found.alone = name_of(place.alone);
  found.faces_conflict = place.faces_conflict;
  found.address_known = !place.address_unknown;
  return found;
}

model::MemoryInterference interference_of(const CaseReport& report, const InterferenceCount& one) {
  model::MemoryInterference found{place_of(report.places[one.place])};
  found.evicted_by = place_of(report.places[one.evictor]);
  found.lines = one.count.lines;
  found.waiting = one.count.waiting;
  found.sets.assign(one.count.sets.begin(), one.count.sets.end());
  return found;
}

model::MemoryWarning warning_of(const CaseReport& report, const Warning& warning) {
  constexpr const char* kKinds[] = {"transactions", "bank-conflicts", "interference", "reloads",
                                    "busy-banks",   "constants",      "spilled"};
  model::MemoryWarning found{place_of(report.places[warning.place])};
  found.kind = kKinds[static_cast<unsigned>(warning.kind)];
  found.message = warning.message;
  found.because = warning.because;
  for (const std::size_t index : warning.what_ifs)
    found.what_ifs.push_back(
        {.text = report.what_ifs[index].text, .gain_percent = report.what_ifs[index].gain_percent});
  return found;
}

model::MemoryWhatIf what_if_of(const WhatIf& what) {
  return {.variable = what.variable,
          .moved = what.change.moved,
          .row = what.change.row,
          .padding = what.change.padding,
          .element = what.change.element,
          .memory = what.in_registers ? "registers"
                    : what.as_global  ? "global"
                                      : "",
          .by_rows = what.change.by_rows,
          .locked = what.locked,
          .bank_bytes = what.bank_bytes,
          .in_tiles = what.in_tiles,
          .neighbours = what.neighbours == 1 ? std::nullopt : std::optional(what.neighbours),
          .local_size = what.local_size[0] == 0 ? std::nullopt : std::optional(what.local_size),
          .cycles = what.cycles,
          .gain_percent = what.gain_percent};
}

} // namespace

model::MemoryCase results_of(const CaseReport& report) {
  const RunCount& count = report.count;
  model::MemoryCase one{.name = report.name,
                        .schedule = std::string(model::name_of(report.choice.kind)),
                        .seed = report.choice.seed,
                        .schedules_tried = report.schedules_tried,
                        .replay = if_any(report.replay),
                        .before = report.before,
                        .cycles = count.cycles,
                        .overhead = count.lost,
                        .cycles_without_evictions = report.alone,
                        .condition = if_any(report.condition),
                        .instructions = count.instructions,
                        .dram_requests = count.dram_requests,
                        .dram_row_hits = count.dram_row_hits,
                        .local_sizes_tried = report.local_sizes_tried};
  for (const WarpChoice::Phase& phase : report.choice.phases)
    one.phases.push_back({.begin = phase.begin,
                          .schedule = std::string(model::name_of(phase.kind)),
                          .seed = phase.seed});
  for (const LevelCount& level : count.caches)
    one.caches.push_back({.hits = level.hits, .misses = level.misses});
  for (const PlaceCount& place : report.places)
    if (!place.in_registers)
      one.references.push_back(reference_of(place));
  for (const InterferenceCount& interference : report.interferences)
    one.interferences.push_back(interference_of(report, interference));
  for (const Warning& warning : report.warnings)
    one.warnings.push_back(warning_of(report, warning));
  for (const WhatIf& what : report.what_ifs)
    one.what_ifs.push_back(what_if_of(what));
  for (const std::size_t index : report.hints)
    one.hints.push_back(
        {.text = report.what_ifs[index].text, .gain_percent = report.what_ifs[index].gain_percent});
  if (!count.spans.empty())
    one.timeline = steps_of(count);
  if (!count.sets.empty())
    one.sets = sets_of(count);
  return one;
}

} // namespace gputest::memory
