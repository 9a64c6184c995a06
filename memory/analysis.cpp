// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/analysis.h"

#include "memory/text.h"
#include "memory/what_if.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace gputest::memory {
namespace {

// Thresholds of warnings.
constexpr double kManyTransactions = 1.2;                 // of the fewest
constexpr double kMuchWaiting = 0.02, kManyReloads = 0.1; // of all waiting; of all misses
constexpr double kMuchQueued = 0.1;                       // of the cycles
constexpr std::size_t kMostInterferences = 5;             // the most that get a warning

void add(ReferenceCount& to, const ReferenceCount& from) {
  to.executions += from.executions;
  to.work_items += from.work_items;
  to.transactions += from.transactions;
  to.fewest += from.fewest;
  to.hits += from.hits;
  to.misses += from.misses;
  to.reloads += from.reloads;
  to.lost += from.lost;
  to.waiting += from.waiting;
  for (const auto& [stride, count] : from.strides)
    to.strides[stride] += count;
}

class Analysis {
public:
  Analysis(const Gpu& gpu, const LaunchTrace& trace, const WarpChoice& choice,
           std::span<const std::uint8_t> sure_hits)
      : gpu_(gpu), trace_(trace), choice_(choice), sure_hits_(sure_hits) {}

  CaseReport run(const std::string& name) {
    report_.name = name;
    report_.choice = choice_;
    if (trace_.before)
      report_.before = trace_.before->kernel;
    report_.count = memory::run(gpu_, trace_,
                                {.choice = choice_,
                                 .strides = true,
                                 .choices = true,
                                 .monitor = true,
                                 .sure_hits = sure_hits_});
    report_.alone = report_.count.cycles;
    gather_places();
    gather_interferences();
    if (!report_.interferences.empty())
      report_.alone = memory::run(gpu_, trace_, {.choice = choice_, .alone = true}).cycles;
    warn();
    try_changes(gpu_, trace_, report_);
    return std::move(report_);
  }

private:
  bool on_chip(const Reference& reference) const {
    return gpu_.local_memory &&
           (reference.object < 0 ? reference.local
                                 : trace_.objects[static_cast<unsigned>(reference.object)].local);
  }

  const MemoryObject* object_of(const Reference& reference) const {
    return reference.object < 0 ? nullptr
                                : &trace_.objects[static_cast<unsigned>(reference.object)];
  }

  bool is_constant(const Reference& reference) const {
    const MemoryObject* const object = object_of(reference);
    return gpu_.constant_cache && (reference.constant || (object && object->constant)) &&
           reference.kind == Reference::Kind::Read;
  }

  bool is_own(const Reference& reference) const {
    const MemoryObject* const object = object_of(reference);
    return object && object->own;
  }

  void gather_places() {
    const auto key = [](const Reference& one) {
      return std::tie(one.file, one.line, one.column, one.kind, one.object);
    };
    for (std::size_t i = 0; i < trace_.references.size(); ++i) {
      const Reference& reference = trace_.references[i];
      const auto same = std::ranges::find_if(report_.places, [&](const PlaceCount& place) {
        return key(place.reference) == key(reference);
      });
      report_.place_of.push_back(static_cast<std::size_t>(same - report_.places.begin()));
      if (same == report_.places.end())
        report_.places.push_back(
            {.reference = reference,
             .variable = reference.object < 0
                             ? ""
                             : trace_.objects[static_cast<unsigned>(reference.object)].name,
             .on_chip = on_chip(reference),
             .constant = is_constant(reference),
             .own = is_own(reference),
             .in_registers = reference.in_registers,
             .image = object_of(reference) && object_of(reference)->image,
             .count = {}});
      add(report_.places[report_.place_of.back()].count, report_.count.references[i]);
    }
  }

  void gather_interferences() {
    std::map<std::pair<std::size_t, std::size_t>, Interference> by_place;
    for (const auto& [references, found] : report_.count.interferences) {
      Interference& all =
          by_place[{report_.place_of[references.first], report_.place_of[references.second]}];
      all.lines += found.lines;
      all.waiting += found.waiting;
      all.sets.insert(found.sets.begin(), found.sets.end());
    }
    for (const auto& [places, found] : by_place)
      report_.interferences.push_back(
          {.place = places.first, .evictor = places.second, .count = found});
    std::ranges::stable_sort(report_.interferences, std::greater{},
                             [](const InterferenceCount& one) { return one.count.waiting; });
  }

  // -- Warnings ----------------------------------------------------------------------------------

  Cycles all_waiting() const {
    Cycles waiting = 0;
    for (const PlaceCount& place : report_.places)
      waiting += place.count.waiting;
    return waiting;
  }

  void warn() {
    for (std::size_t i = 0; i < report_.places.size(); ++i) {
      const PlaceCount& place = report_.places[i];
      if (static_cast<double>(place.count.transactions) >=
          kManyTransactions * static_cast<double>(place.count.fewest) + 0.5)
        warn_of_transactions(i);
    }
    std::size_t shown = 0;
    for (const InterferenceCount& one : report_.interferences)
      if (shown < kMostInterferences && static_cast<double>(one.count.waiting) >=
                                            kMuchWaiting * static_cast<double>(all_waiting())) {
        warn_of_interference(one);
        ++shown;
      }
    for (std::size_t i = 0; i < report_.places.size(); ++i)
      warn_of_reloads(i);
    warn_of_busy_banks();
    warn_of_spilled();
  }

  // Warns of private arrays in memory that warps wait for, each at the place that they wait for
  // most.
  void warn_of_spilled() {
    std::map<int, std::pair<std::size_t, Cycles>> by_object; // a place, and the waiting of all
    for (std::size_t i = 0; i < report_.places.size(); ++i) {
      const PlaceCount& place = report_.places[i];
      if (!place.own || place.in_registers || place.count.executions == 0)
        continue;
      auto [known, added] = by_object.try_emplace(place.reference.object, i, 0);
      known->second.second += place.count.waiting;
      if (report_.places[known->second.first].count.waiting < place.count.waiting)
        known->second.first = i;
    }
    for (const auto& [number, found] : by_object) {
      if (static_cast<double>(found.second) < kMuchWaiting * static_cast<double>(all_waiting()))
        continue;
      const MemoryObject& object = trace_.objects[static_cast<unsigned>(number)];
      const std::uint64_t most = gpu_.private_arrays.value().most(object.indexed);
      report_.warnings.push_back(
          {.kind = Warning::Kind::Spilled,
           .place = found.first,
           .message = fmt::format("'{}', {} bytes of each work-item, is in memory and not in "
                                  "registers: {} cycles of waiting",
                                  object.name, grouped(object.size), grouped(found.second)),
           .because = fmt::format(
               "{}registers hold at most {} bytes of such an array",
               object.indexed == Indexed::Reads
                   ? "it is read by an index that shows only when the kernel runs, and "
               : object.indexed == Indexed::Writes
                   ? "it is written by an index that shows only when the kernel runs, and "
                   : "",
               grouped(most)),
           .what_ifs = {}});
    }
  }

  void warn_of_constants(std::size_t index) {
    const PlaceCount& place = report_.places[index];
    const ReferenceCount& count = place.count;
    report_.warnings.push_back(
        {.kind = Warning::Kind::Constants,
         .place = index,
         .message = fmt::format("{} want several addresses of constant memory: {} of {} "
                                "transactions are extra",
                                accesses_text(place), grouped(count.transactions - count.fewest),
                                grouped(count.transactions)),
         .because = fmt::format("a warp gets one address after the other, each for all work-items "
                                "that want it ({} addresses a warp; 1 would do)",
                                short_number(static_cast<double>(count.transactions) /
                                             static_cast<double>(count.executions)))});
  }

  // Warns about the place that loses most to them, if that is a large part of the launch's losses.
  void warn_of_busy_banks() {
    if (static_cast<double>(report_.count.lost) <
        kMuchQueued * static_cast<double>(report_.count.cycles))
      return;
    std::vector<Cycles> queued(report_.places.size());
    Cycles all = 0;
    for (const auto& [where, loss] : report_.count.losses) {
      queued[report_.place_of[where.second]] += loss.queued;
      all += loss.queued;
    }
    const auto most = std::ranges::max_element(queued);
    if (most == queued.end() || *most == 0)
      return;
    const auto index = static_cast<std::size_t>(most - queued.begin());
    report_.warnings.push_back(
        {.kind = Warning::Kind::BusyBanks,
         .place = index,
         .message = fmt::format("{} wait for memory that is busy for other warps: {} of {} cycles "
                                "that warps lose so",
                                accesses_text(report_.places[index]), grouped(*most), grouped(all)),
         .because = fmt::format("{} requests come to {} {} of DRAM, and neighbouring {} bytes "
                                "lie in one",
                                grouped(report_.count.dram_requests), gpu_.dram.banks,
                                gpu_.dram.banks == 1 ? "bank" : "banks",
                                grouped(std::uint64_t{gpu_.dram.bank_bytes})),
         .what_ifs = {}});
  }

  void warn_of_transactions(std::size_t index) {
    const PlaceCount& place = report_.places[index];
    // The warning is about reads that go through the cache for constants alone.
    if (place.constant && !gpu_.constant_cache->uniform_only)
      return warn_of_constants(index);
    const ReferenceCount& count = place.count;
    const double made = static_cast<double>(count.transactions) /
                        static_cast<double>(count.executions),
                 fewest = static_cast<double>(count.fewest) / static_cast<double>(count.executions);
    Warning warning{.kind =
                        place.on_chip ? Warning::Kind::BankConflicts : Warning::Kind::Transactions,
                    .place = index};
    warning.message =
        place.on_chip
            ? fmt::format("{} conflict in the banks of local memory: {} of {} passes are extra",
                          accesses_text(place), grouped(count.transactions - count.fewest),
                          grouped(count.transactions))
            : fmt::format("{} are not coalesced: {} of {} transactions are extra",
                          accesses_text(place), grouped(count.transactions - count.fewest),
                          grouped(count.transactions));
    const std::string numbers =
        fmt::format("{} {} a warp; {} would do", short_number(made),
                    place.on_chip ? "passes" : "transactions", short_number(fewest));
    const std::optional<std::int64_t> stride = place.stride();
    const auto size = static_cast<std::int64_t>(place.reference.size);
    if (place.image)
      warning.because = texels_text(place, numbers);
    else if (place.reference.kind == Reference::Kind::Atomic && stride == 0)
      warning.because =
          fmt::format("work-items update one place one after the other ({})", numbers);
    else if (stride && *stride != 0 && *stride != size && place.reference.size != 0)
      warning.because =
          fmt::format("neighbouring work-items are {} byte{} apart ({})", grouped(*stride),
                      *stride == 1 || *stride == -1 ? "" : "s", numbers);
    else if (stride && *stride == size)
      warning.because = fmt::format(
          "neighbouring work-items are {} bytes apart, but not all of them, or the first begins "
          "within a {} ({})",
          grouped(size), place.on_chip ? "word" : "line", numbers);
    else
      warning.because = fmt::format("places follow no pattern ({})", numbers);
    report_.warnings.push_back(std::move(warning));
  }

  // Says how neighbouring work-items lie to each other in an image.
  static std::string distance_text(const ImageShape& image, std::optional<std::int64_t> stride) {
    if (!stride)
      return "neighbouring work-items follow no pattern in the image";
    if (*stride == 0)
      return "neighbouring work-items access one texel";
    const auto bytes = static_cast<std::uint64_t>(std::abs(*stride));
    const std::uint64_t row = image.row(), slice = row * image.height;
    std::string text;
    if (image.depth > 1 && bytes % slice == 0)
      text = bytes == slice ? "1 slice or layer of the image apart"
                            : fmt::format("{} slices or layers of the image apart", bytes / slice);
    else if (image.height > 1 && bytes % row == 0)
      text = fmt::format("{} row{} of the image apart", bytes / row, bytes == row ? "" : "s");
    else if (bytes == image.texel)
      text = "side by side in a row of the image";
    else
      text = fmt::format("{} texels apart", bytes / image.texel);
    return fmt::format("neighbouring work-items are {}{}", text, *stride < 0 ? ", backwards" : "");
  }

  // Also says which texels of the image lie together. `numbers`: of transactions.
  std::string texels_text(const PlaceCount& place, const std::string& numbers) const {
    const ImageShape& image = object_of(place.reference)->image.value();
    const bool own =
        gpu_.texture && gpu_.texture->cache && place.reference.kind == Reference::Kind::Read;
    const std::size_t bytes = own ? gpu_.texture->cache->line : gpu_.caches.front().sector;
    const auto [wide, high] = TexelOrder(image, gpu_.tile()).texels_in(bytes);
    return fmt::format("{} ({}); {} bytes of the image hold {} x {} texels",
                       distance_text(image, place.stride()), numbers, bytes, wide, high);
  }

  void warn_of_interference(const InterferenceCount& one) {
    const PlaceCount &place = report_.places[one.place], &evictor = report_.places[one.evictor];
    Warning warning{.kind = Warning::Kind::Interference, .place = one.place};
    warning.message = fmt::format(
        "warps evict each other's lines of {} ({}): {} cycles of waiting for {} lines",
        place.variable == evictor.variable || evictor.variable.empty()
            ? variable_text(place)
            : fmt::format("{} and {}", variable_text(place), variable_text(evictor)),
        sets_text(one.count.sets), grouped(one.count.waiting), grouped(one.count.lines));
    warning.because =
        fmt::format("{} at {} take their place", accesses_text(evictor), place_text(evictor));
    report_.warnings.push_back(std::move(warning));
  }

  void warn_of_reloads(std::size_t index) {
    std::uint64_t by_others = 0;
    for (const InterferenceCount& one : report_.interferences)
      if (one.place == index)
        by_others += one.count.lines;
    const PlaceCount& place = report_.places[index];
    const std::uint64_t own = place.count.reloads - std::min(place.count.reloads, by_others);
    std::uint64_t misses = 0;
    for (const PlaceCount& one : report_.places)
      misses += one.count.misses;
    if (own == 0 || static_cast<double>(own) < kManyReloads * static_cast<double>(misses))
      return;
    const bool textures = place.image && gpu_.texture && gpu_.texture->cache &&
                          place.reference.kind == Reference::Kind::Read;
    const CacheLevel& nearest = gpu_.caches.front();
    const std::size_t bytes = textures ? gpu_.texture->cache->size : nearest.size,
                      ways = textures ? gpu_.texture->cache->ways : nearest.ways;
    report_.warnings.push_back(
        {.kind = Warning::Kind::Reloads,
         .place = index,
         .message = fmt::format("{} load {} lines that the same warp had in the cache before",
                                accesses_text(place), grouped(own)),
         .because = fmt::format("what a warp accesses in between does not fit beside them into {} "
                                "bytes in sets of {}",
                                grouped(bytes), ways),
         .what_ifs = {}});
  }

  const Gpu& gpu_;
  const LaunchTrace& trace_;
  const WarpChoice& choice_;
  const std::span<const std::uint8_t> sure_hits_;
  CaseReport report_;
};

} // namespace

std::optional<std::int64_t> PlaceCount::stride() const {
  const auto most =
      std::ranges::max_element(count.strides, {}, [](const auto& stride) { return stride.second; });
  return most == count.strides.end() ? std::nullopt : std::optional(most->first);
}

double CaseReport::overhead_percent() const {
  return 100 * share(count.lost, count.cycles);
}

std::vector<std::uint8_t> sure_hits_of(const StaticReport& found, const LaunchTrace& trace,
                                       std::size_t items_of_group) {
  const std::size_t references = trace.references.size();
  std::vector<std::uint8_t> sure(trace.warps.size() * references);
  if (found.items.size() != items_of_group * trace.group_count()) // some groups are smaller
    return sure;
  for (std::size_t group = 0; group < trace.group_count(); ++group)
    for (std::uint32_t warp = trace.groups[group]; warp < trace.groups[group + 1]; ++warp) {
      const std::size_t within = (warp - trace.groups[group]) * trace.warp_size;
      const std::size_t end = std::min(within + trace.warp_size, items_of_group);
      for (std::uint32_t reference = 0; reference < references; ++reference) {
        bool any = false, all = true;
        for (std::size_t item = within; item < end; ++item) {
          const Certainty certainty = found.certainty(group * items_of_group + item, reference);
          any = any || certainty == Certainty::AlwaysHit;
          all = all && (certainty == Certainty::AlwaysHit || certainty == Certainty::NotRun);
        }
        sure[warp * references + reference] = any && all;
      }
    }
  return sure;
}

void add_static(CaseReport& report, const StaticReport& found) {
  for (std::uint32_t i = 0; i < report.place_of.size(); ++i) {
    PlaceCount& place = report.places[report.place_of[i]];
    const Certainty alone = found.of_all(i);
    if (alone != Certainty::NotRun)
      place.alone = place.alone == Certainty::NotRun || place.alone == alone
                        ? alone
                        : Certainty::NotClassified;
    place.faces_conflict = place.faces_conflict || found.faces_conflict[i];
    place.address_unknown = place.address_unknown || found.unknown[i];
    place.chosen_by_data = place.chosen_by_data || found.chosen_by_data[i];
  }
  drop_tiles_of_data(report);
}

ReferenceCoverage coverage_of(const std::vector<CaseReport>& cases, const std::vector<bool>& run) {
  ReferenceCoverage coverage;
  std::set<std::size_t> elsewhere;
  for (std::size_t i = 0; !cases.empty() && i < run.size(); ++i)
    if (run[i])
      elsewhere.insert(cases.front().place_of[i]);
  for (std::size_t i = 0; !cases.empty() && i < cases.front().places.size(); ++i) {
    const auto any = [&](auto holds) {
      return std::ranges::any_of(cases,
                                 [&](const CaseReport& one) { return holds(one.places[i]); });
    };
    const bool may_wait = any([](const PlaceCount& place) {
      return place.alone != Certainty::AlwaysHit || place.faces_conflict;
    });
    if (!may_wait || cases.front().places[i].on_chip || cases.front().places[i].in_registers)
      continue;
    ++coverage.total;
    coverage.explored += elsewhere.contains(i) ||
                         any([](const PlaceCount& place) { return place.count.executions != 0; });
  }
  return coverage;
}

CaseReport analyse(const Gpu& gpu, const LaunchTrace& trace, const std::string& name,
                   const WarpChoice& choice, std::span<const std::uint8_t> sure_hits) {
  return Analysis(gpu, trace, choice, sure_hits).run(name);
}

} // namespace gputest::memory
