// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/what_if.h"

#include "memory/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace gputest::memory {
namespace {

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
    if (!place.on_chip && can_lock())
      look_at_lock(warning, object);
    if (!place.on_chip)
      for (const std::uint64_t moved :
           {std::uint64_t{cache.line}, std::uint64_t{cache.line} * (cache.sets() / 2)})
        if (moved != 0)
          look_at(warning, {.object = object, .moved = moved});
    look_at_rows(warning, object);
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

  bool can_lock() const {
    const CacheLevel& cache = gpu_.caches.front();
    return cache.ways > 1 && cache.write == CacheLevel::Write::Back;
  }

  void add(Warning& warning, WhatIf what) {
    what.gain_percent = gain_percent(report_, what.cycles);
    if (std::abs(what.gain_percent) < kLeastGain)
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
    const auto key = std::tuple(change.object, change.moved, change.row, change.padding);
    if (!tried_.insert(key).second) // it is shown with the first warning
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
      if (trace_.objects[object].size == 0 || (gpu_.local_memory && trace_.objects[object].local))
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
  std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>> tried_;
};

} // namespace

double gain_percent(const CaseReport& report, Cycles cycles) {
  const auto before = static_cast<double>(report.count.cycles);
  return 100 * (before - static_cast<double>(cycles)) / before;
}

void try_changes(const Gpu& gpu, const LaunchTrace& trace, CaseReport& report) {
  Changes(gpu, trace, report).run();
}

} // namespace gputest::memory
