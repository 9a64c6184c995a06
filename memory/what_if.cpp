// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/what_if.h"

#include "memory/fields.h"
#include "memory/neighbours.h"
#include "memory/reuse.h"
#include "memory/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace gputest::memory {
namespace {

constexpr std::uint64_t kMostStructure = 256; // bytes; larger distances are those of rows

class Changes {
public:
  Changes(const Gpu& gpu, const LaunchTrace& trace, CaseReport& report)
      : gpu_(gpu), trace_(trace), report_(report) {}

  void run() {
    for (Warning& warning : report_.warnings)
      try_for(warning);
    for (Warning& warning : report_.warnings)
      if (warning.kind == Warning::Kind::BusyBanks)
        try_together(warning);
    for (const Reuse& reuse : reuse_of(gpu_, trace_))
      look_at_tiles(reuse);
    look_at_neighbours();
  }

private:
  void try_for(Warning& warning) {
    const PlaceCount& place = report_.places[warning.place];
    const CacheLevel& cache = gpu_.caches.front();
    if (warning.kind == Warning::Kind::BusyBanks) {
      for (const std::size_t bytes : {cache.line, 4 * cache.line})
        if (bytes < gpu_.dram.bank_bytes)
          look_at_banks(warning, bytes);
      return;
    }
    if (place.reference.object < 0)
      return;
    const auto object = static_cast<std::uint32_t>(place.reference.object);
    // A part of an object moves with it.
    const std::uint32_t whole = trace_.objects[object].part_of.value_or(object);
    if (warning.kind == Warning::Kind::Spilled || warning.kind == Warning::Kind::Constants)
      look_at_elsewhere(warning, object, place.own);
    if (place.image)
      look_at_image(warning, object);
    if (place.own || place.image || warning.kind == Warning::Kind::Constants)
      return;
    if (!place.on_chip && can_lock())
      look_at_lock(warning, object);
    if (!place.on_chip)
      for (const std::uint64_t moved :
           {std::uint64_t{cache.line}, std::uint64_t{cache.line} * (cache.sets() / 2)})
        if (moved != 0)
          look_at(warning, {.object = whole, .moved = moved});
    look_at_rows(warning, whole);
    if (!place.on_chip)
      look_at_fields(warning, whole);
  }

  void add_hint(WhatIf what) {
    what.gain_percent = gain_percent(report_, what.cycles);
    if (what.gain_percent < kLeastGain)
      return;
    report_.hints.push_back(report_.what_ifs.size());
    report_.what_ifs.push_back(std::move(what));
  }

  // What warps of a group read again and again, in local memory.
  void look_at_tiles(const Reuse& reuse) {
    std::uint64_t again = 0;
    for (const PlaceCount& place : report_.places)
      if (place.reference.object == static_cast<int>(reuse.object))
        again += place.count.reloads;
    const std::string& name = trace_.objects[reuse.object].name;
    std::string text =
        fmt::format("'{}' in local memory, tile by tile: a work-group reads each of "
                    "its sectors {} times, by {} warps",
                    name, short_number(reuse.times()), short_number(reuse.warps_of_sector()));
    if (again != 0)
      text += fmt::format(", and loads {} lines again after they were evicted", grouped(again));
    const Cycles plain = cycles_with_tiles(reuse.object, false),
                 padded = cycles_with_tiles(reuse.object, true);
    const bool is_better =
        gain_percent(report_, padded) >= gain_percent(report_, plain) + kLeastGain;
    if (is_better)
      text += fmt::format("; a word stays free behind each row of {} banks: without it, conflicts "
                          "of banks take {} more cycles",
                          gpu_.local_memory->banks, grouped(plain - padded));
    text += "; without barriers";
    add_hint({.change = {.object = reuse.object},
              .in_tiles = true,
              .variable = name,
              .text = std::move(text),
              .cycles = is_better ? padded : plain});
  }

  Cycles cycles_with_tiles(std::uint32_t object, bool padded) const {
    return cycles_with(0, {.choice = report_.choice,
                           .tiled = RunSettings::Tiled{.object = object, .padded = padded}});
  }

  // Vectors of neighbouring elements. Schedules that name warps or choices do not fit the others.
  // Four are told if they save more than two.
  void look_at_neighbours() {
    const WarpChoice& choice = report_.choice;
    if (!choice.listed.empty() || !choice.phases.empty())
      return;
    std::optional<WhatIf> best;
    for (const std::size_t count : {2U, 4U})
      if (const std::optional<LaunchTrace> other = with_neighbours(trace_, count)) {
        const Cycles cycles = memory::run(gpu_, *other, {.choice = choice}).cycles;
        if (!best ||
            gain_percent(report_, cycles) >= gain_percent(report_, best->cycles) + kLeastGain)
          best = WhatIf{.change = {},
                        .neighbours = count,
                        .text = fmt::format("work-items that each do the work of {} neighbours, "
                                            "with accesses of vectors",
                                            count),
                        .cycles = cycles};
      }
    if (best)
      add_hint(std::move(*best));
  }

  // An image row by row, as one that is made of a buffer.
  void look_at_image(Warning& warning, std::uint32_t object) {
    const LayoutChange change{.object = object, .by_rows = true};
    if (gpu_.tile().empty() || !tried_.insert(change).second)
      return;
    const std::string& name = trace_.objects[object].name;
    add(warning, {.change = change,
                  .variable = name,
                  .text = fmt::format("image '{}' row by row, not in tiles", name),
                  .cycles = cycles_with(0, {.choice = report_.choice, .changes = {change}})});
  }

  // A private array in registers, or constants in global memory.
  void look_at_elsewhere(Warning& warning, std::uint32_t object, bool own) {
    if (!elsewhere_.insert(object).second)
      return;
    RunSettings settings{.choice = report_.choice};
    (own ? settings.in_registers : settings.as_global) = object;
    const std::string& name = trace_.objects[object].name;
    add(warning, {.change = {.object = object},
                  .in_registers = own,
                  .as_global = !own,
                  .variable = name,
                  .text = fmt::format("'{}' in {}", name, own ? "registers" : "global memory"),
                  .cycles = cycles_with(0, settings)});
  }

  // An array of structures as a structure of arrays, or a matrix by its columns.
  void look_at_fields(Warning& warning, std::uint32_t object) {
    const PlaceCount& place = report_.places[warning.place];
    const std::optional<std::int64_t> stride = place.stride();
    const std::uint64_t size = place.reference.size;
    if (!stride || size == 0 || std::abs(*stride) <= static_cast<std::int64_t>(size) ||
        2 * place.count.strides.at(*stride) < place.count.executions)
      return;
    const auto element = static_cast<std::uint64_t>(std::abs(*stride));
    if (trace_.objects[object].size < 2 * element || !laid_out_.insert({object, element}).second)
      return;
    LayoutChange change{.object = object, .element = element};
    const bool structure = element <= kMostStructure;
    change.fields =
        structure ? fields_of(trace_, object, element) : columns_of(trace_, object, element, size);
    if (change.fields.size() < 2)
      return;
    WhatIf what{.change = change,
                .variable = trace_.objects[object].name,
                .text = {},
                .cycles = cycles_with(0, {.choice = report_.choice, .changes = {change}})};
    what.text = structure ? fmt::format("'{}' as a structure of arrays, not an array of "
                                        "structures of {} bytes",
                                        what.variable, element)
                          : fmt::format("'{}' by columns, not by rows of {} bytes", what.variable,
                                        grouped(element));
    add(warning, std::move(what));
  }

  void look_at_rows(Warning& warning, std::uint32_t object) {
    const PlaceCount& place = report_.places[warning.place];
    const CacheLevel& cache = gpu_.caches.front();
    const std::optional<std::int64_t> stride = place.stride();
    const std::uint64_t element = place.reference.size;
    if (!stride || element == 0 || std::abs(*stride) <= static_cast<std::int64_t>(element))
      return;
    auto row = static_cast<std::uint64_t>(std::abs(*stride));
    if (place.on_chip) // at least a row of all banks
      row = std::max<std::uint64_t>(row, gpu_.local_memory->banks * gpu_.local_memory->bank_bytes);
    else if (row < cache.line)
      return;
    // A stride is a row only if most executions have it, rows have whole elements, and the variable
    // has several rows.
    if (2 * place.count.strides.at(*stride) < place.count.executions || row % element != 0 ||
        trace_.objects[object].size < 2 * row)
      return;
    look_at(warning, {.object = object, .row = row, .padding = element});
    if (!place.on_chip)
      look_at(warning, {.object = object, .row = row, .padding = cache.line});
  }

  // Whether a core still has the local memory for a group.
  bool fits(const LayoutChange& change) const {
    return !gpu_.local_memory || Layout(trace_, {change}).local_size() <= gpu_.local_memory->size;
  }

  bool can_lock() const {
    const CacheLevel& cache = gpu_.caches.front();
    return cache.ways > 1 && cache.write == CacheLevel::Write::Back;
  }

  // Tiles are no lines one after the other, and a cache for textures cannot be locked.
  bool can_lock(const MemoryObject& object) const {
    return !object.image || !gpu_.texture || (gpu_.tile().empty() && !gpu_.texture->cache);
  }

  void add(Warning& warning, WhatIf what) {
    what.gain_percent = gain_percent(report_, what.cycles);
    if (what.gain_percent < kLeastGain)
      return;
    warning.what_ifs.push_back(report_.what_ifs.size());
    report_.what_ifs.push_back(std::move(what));
  }

  static std::string banks_text(std::size_t bytes) {
    return fmt::format("neighbouring {} bytes in one bank of DRAM", bytes);
  }

  std::string lock_text(std::uint32_t object) const {
    const CacheLevel& cache = gpu_.caches.front();
    const std::string& name = trace_.objects[object].name;
    const std::uint64_t way = cache.size / cache.ways;
    return trace_.objects[object].size <= way
               ? fmt::format("'{}' locked in the cache", name)
               : fmt::format("the first {} bytes of '{}' locked in the cache", grouped(way), name);
  }

  Cycles cycles_with(std::size_t bank_bytes, const RunSettings& settings) const {
    Gpu other = gpu_;
    if (bank_bytes != 0)
      other.dram.bank_bytes = bank_bytes;
    return memory::run(other, trace_, settings).cycles;
  }

  void look_at_banks(Warning& warning, std::size_t bytes) {
    add(warning, {.change = {},
                  .bank_bytes = bytes,
                  .text = banks_text(bytes),
                  .cycles = cycles_with(bytes, {.choice = report_.choice})});
  }

  void look_at_lock(Warning& warning, std::uint32_t object) {
    if (locked_.insert(object).second)
      add(warning, {.change = {.object = object},
                    .locked = true,
                    .variable = trace_.objects[object].name,
                    .text = lock_text(object),
                    .cycles = cycles_with(0, {.choice = report_.choice, .locked = object})});
  }

  void look_at(Warning& warning, const LayoutChange& change) {
    if (!tried_.insert(change).second || !fits(change)) // it is shown with the first warning
      return;
    WhatIf what{.change = change,
                .variable = trace_.objects[change.object].name,
                .text = {},
                .cycles = cycles_with(0, {.choice = report_.choice, .changes = {change}})};
    what.text =
        change.row == 0
            ? fmt::format("'{}' moved by {} bytes", what.variable, grouped(change.moved))
            : fmt::format("rows of {} bytes of '{}' padded by {}", grouped(change.row),
                          what.variable,
                          change.padding == gpu_.caches.front().line ? "a line" : "one element");
    add(warning, std::move(what));
  }

  // Also tries the best layout of DRAM together with a locked variable, and keeps it if that is
  // better.
  void try_together(Warning& warning) {
    const WhatIf* best = nullptr;
    for (const std::size_t index : warning.what_ifs)
      if (const WhatIf& one = report_.what_ifs[index];
          one.gain_percent > 0 && (!best || one.cycles < best->cycles))
        best = &one;
    if (!best || !can_lock())
      return;
    const std::size_t bytes = best->bank_bytes;
    std::optional<WhatIf> together;
    for (std::uint32_t object = 0; object < trace_.objects.size(); ++object) {
      const MemoryObject& one = trace_.objects[object];
      if (one.size == 0 || one.own || !can_lock(one) || (gpu_.local_memory && one.local))
        continue;
      const Cycles cycles = cycles_with(bytes, {.choice = report_.choice, .locked = object});
      if (!together || cycles < together->cycles)
        together = WhatIf{.change = {.object = object},
                          .locked = true,
                          .bank_bytes = bytes,
                          .variable = trace_.objects[object].name,
                          .text = banks_text(bytes) + " and " + lock_text(object),
                          .cycles = cycles};
    }
    const auto least = static_cast<double>(best->cycles) -
                       kLeastGain / 100 * static_cast<double>(report_.count.cycles);
    if (together && static_cast<double>(together->cycles) < least)
      add(warning, std::move(*together));
  }

  const Gpu& gpu_;
  const LaunchTrace& trace_;
  CaseReport& report_;
  std::set<std::uint32_t> locked_; // objects that were tried
  std::set<LayoutChange> tried_;
  std::set<std::uint32_t> elsewhere_;                          // objects
  std::set<std::pair<std::uint32_t, std::uint64_t>> laid_out_; // with elements of so many bytes
};

bool reads_by_data(const CaseReport& report, std::uint32_t object) {
  return std::ranges::any_of(report.places, [&](const PlaceCount& place) {
    const Reference& reference = place.reference;
    if (reference.kind != Reference::Kind::Read || place.count.executions == 0)
      return false;
    return reference.object < 0
               ? !reference.local && !reference.constant
               : place.chosen_by_data && reference.object == static_cast<int>(object);
  });
}

void erase_what_if(CaseReport& report, std::size_t index) {
  report.what_ifs.erase(report.what_ifs.begin() + static_cast<std::ptrdiff_t>(index));
  const auto renumber = [&](std::vector<std::size_t>& indices) {
    std::erase(indices, index);
    for (std::size_t& one : indices)
      one -= one > index ? 1 : 0;
  };
  renumber(report.hints);
  for (Warning& warning : report.warnings)
    renumber(warning.what_ifs);
}

} // namespace

void drop_tiles_of_data(CaseReport& report) {
  for (std::size_t i = report.what_ifs.size(); i-- > 0;)
    if (report.what_ifs[i].in_tiles && reads_by_data(report, report.what_ifs[i].change.object))
      erase_what_if(report, i);
}

double gain_percent(const CaseReport& report, Cycles cycles) {
  const auto before = static_cast<double>(report.count.cycles);
  return 100 * (before - static_cast<double>(cycles)) / before;
}

void try_changes(const Gpu& gpu, const LaunchTrace& trace, CaseReport& report) {
  Changes(gpu, trace, report).run();
}

} // namespace gputest::memory
