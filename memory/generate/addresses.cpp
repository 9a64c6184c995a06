// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/addresses.h"

#include "memory/model/cache.h"
#include "memory/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <tuple>
#include <unordered_map>

namespace gputest::memory {
namespace {

using testgen::Event;
using testgen::Label;
using testgen::TracedSite;

constexpr std::size_t kMostEvents = 1 << 15; // of a site
constexpr std::size_t kSamples = 32;         // of them, for the choice of a place
constexpr std::size_t kMostForms = 64;       // of expressions whose results are kept
constexpr std::size_t kStep = 16;            // of candidates of other forms
constexpr std::uint64_t kMostWork = 1 << 26; // evaluated steps of expressions
constexpr std::size_t kMostNames = 3;

} // namespace

Addresses::Addresses(const testgen::Traced& traced, const LaunchTrace& trace, const Gpu& gpu,
                     const Inputs& inputs, std::size_t items_of_group, std::vector<bool> chosen)
    : traced_(traced), trace_(trace), gpu_(gpu), inputs_(inputs), items_of_group_(items_of_group),
      layout_(trace, {}, gpu.tile()),
      current_{.values = traced.values, .chosen = std::move(chosen)} {
  current_.chosen.resize(traced.units.size());
  const auto shared = std::ranges::find_if(
      gpu.caches, [](const CacheLevel& cache) { return cache.shared && cache.banks > 1; });
  if (shared != gpu.caches.end())
    shared_ = &*shared;
}

std::optional<std::size_t> Addresses::object_of(const Event& event) const {
  if (event.label == 0 || event.object == Event::kNoObject)
    return std::nullopt;
  const std::string& name = traced_.shape->objects[event.object].name;
  const auto object = std::ranges::find(trace_.objects, name, &MemoryObject::name);
  if (object == trace_.objects.end())
    return std::nullopt;
  return static_cast<std::size_t>(object - trace_.objects.begin());
}

std::vector<std::vector<Addresses::Aim>> Addresses::aims(std::size_t rank) const {
  struct Site {
    std::size_t events = 0;
    bool branch = false, on_chip = false;
  };
  std::map<std::uint32_t, Site> sites;
  for (const Event& event : traced_.events) {
    const TracedSite& site = (*traced_.sites)[event.site];
    const bool branch = site.kind == TracedSite::Kind::Branch && !site.library;
    const auto object = site.kind == TracedSite::Kind::Address ? object_of(event) : std::nullopt;
    if (event.label == 0 || (!branch && !object) || (branch && rank != 0))
      continue;
    Site& one = sites[event.site];
    ++one.events;
    one.branch = branch;
    one.on_chip = object && gpu_.local_memory && trace_.objects[*object].local;
  }
  std::vector<std::pair<std::uint32_t, Site>> order(sites.begin(), sites.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& one) {
    return std::pair(one.second.branch, one.second.events);
  });
  std::vector<std::vector<Aim>> aims;
  for (const auto& [site, what] : order) {
    std::vector<Goal> goals{Goal::True, Goal::False};
    if (what.on_chip)
      goals = {Goal::OneLocalBank, Goal::OnePlace};
    else if (!what.branch && shared_)
      goals = {Goal::OneCacheBank, Goal::OneSet, Goal::OneDramBank, Goal::OnePlace,
               Goal::ManyLines};
    else if (!what.branch)
      goals = {Goal::OneDramBank, Goal::OneSet, Goal::ManyLines, Goal::OnePlace};
    std::vector<Aim>& all = aims.emplace_back();
    for (const Goal goal : goals)
      if (goal != Goal::ManyLines || rank == 0)
        all.push_back({.site = site, .goal = goal, .rank = rank});
  }
  return aims;
}

// In the order of the warps' instructions.
std::vector<Addresses::Access>& Addresses::accesses_of(const Aim& aim) const {
  const auto [known, added] = accesses_.try_emplace(aim.site);
  std::vector<Access>& accesses = known->second;
  if (!added)
    return accesses;
  std::unordered_map<std::uint32_t, std::uint64_t> times; // by work-item
  const std::uint64_t warps = (items_of_group_ + gpu_.warp_size - 1) / gpu_.warp_size;
  for (const Event& event : traced_.events) {
    if (event.site != aim.site || event.label == 0 || accesses.size() == kMostEvents)
      continue;
    const auto object = is_branch(aim.goal) ? std::optional<std::size_t>(0) : object_of(event);
    if (!object)
      continue;
    const std::uint64_t warp =
        event.item / items_of_group_ * warps + event.item % items_of_group_ / gpu_.warp_size;
    accesses.push_back(
        {.object = *object,
         .warp = warp << 32 | times[event.item]++,
         .bytes = event.bytes,
         .value = testgen::Tape(traced_.table, std::array{event.label}, traced_.functions.get()),
         .units = {}});
    accesses.back().units = accesses.back().value.units();
  }
  std::ranges::stable_sort(accesses, {}, &Access::warp);
  return accesses;
}

std::vector<Addresses::Access*> Addresses::accesses_of(const Aim& aim, const Part& part) const {
  std::vector<Access>& all = accesses_of(aim);
  const auto time_of = [](const Access& access) { return access.warp & 0xffffffff; };
  std::uint64_t times = 1;
  for (const Access& access : all)
    times = std::max(times, time_of(access) + 1);
  std::vector<Access*> accesses;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double place = part.of_each_warp
                             ? static_cast<double>(time_of(all[i])) / static_cast<double>(times)
                             : static_cast<double>(i) / static_cast<double>(all.size());
    if (place >= part.begin && place < part.end)
      accesses.push_back(&all[i]);
  }
  return accesses;
}

const std::vector<std::uint64_t>& Addresses::candidates_of(std::size_t unit) {
  const testgen::Unit& one = traced_.units[unit];
  const auto [known, added] =
      candidates_.try_emplace({one.argument, inputs_.offset_in_element(one)});
  if (added)
    known->second = inputs_.candidates(one);
  return known->second;
}

// Equal forms have equal results, since only the unit is an input.
std::vector<std::uint64_t> Addresses::form_of(const testgen::Tape& tape, std::size_t unit) const {
  const std::vector<Label>& parts = tape.parts();
  const testgen::Unit& one = traced_.units[unit];
  std::vector<std::uint64_t> form{one.argument, inputs_.offset_in_element(one)};
  const auto place = [&](Label label) {
    return label == 0 ? 0
                      : static_cast<std::uint64_t>(std::ranges::lower_bound(parts, label) -
                                                   parts.begin() + 1);
  };
  for (const Label part : parts) {
    const testgen::Node& node = traced_.table[part];
    const bool input = node.op == testgen::Op::Input;
    form.push_back(static_cast<std::uint64_t>(node.op) << 8 | node.bits);
    form.insert(form.end(), {place(node.a), place(node.b), place(node.c)});
    form.push_back(!input                              ? node.number
                   : part == traced_.table.input(unit) ? ~std::uint64_t{0}
                                                       : values_.values[part - 1]);
  }
  return form;
}

// Returns a value of the unit for each line that it can bring the access to. Where expressions
// differ from access to access, fewer values are tried.
const std::vector<Addresses::Way>& Addresses::ways_of(const Aim& aim, Access& access,
                                                      std::size_t unit) {
  const std::vector<std::uint64_t>& candidates = candidates_of(unit);
  std::vector<std::uint64_t> form = form_of(access.value, unit);
  form.push_back(access.object);
  const auto known = known_.find(form);
  if (known != known_.end())
    return known->second;
  const bool kept = known_.size() < kMostForms;
  std::vector<Way>& ways = kept ? known_[std::move(form)] : other_;
  ways.clear();
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  std::vector<std::uint64_t>& inputs = values_.values;
  const std::uint64_t before = inputs[unit];
  const std::size_t step = kept || candidates.size() < 2 * kStep ? 1 : kStep;
  // Begins elsewhere for each unit: together they try all values.
  for (std::size_t i = step == 1 ? 0 : unit % step; i < candidates.size(); i += step) {
    work_ += access.value.parts().size();
    inputs[unit] = candidates[i];
    std::optional<Way> way = way_of(aim.goal, access, access.value.run(inputs).front());
    if (!way || !seen.emplace(way->where, way->line).second)
      continue;
    way->value = candidates[i];
    ways.push_back(*way);
  }
  inputs[unit] = before;
  return ways;
}

// nullopt: the access would lie outside of its object.
std::optional<Addresses::Way> Addresses::way_of(Goal goal, const Access& access,
                                                std::uint64_t value) const {
  if (is_branch(goal))
    return Way{.where = value & 1};
  const std::uint64_t size = trace_.objects[access.object].size;
  if (value >= size || access.bytes > size - value)
    return std::nullopt;
  const auto object = static_cast<std::uint32_t>(access.object);
  const std::uint64_t address = layout_.begin_of(object) + value;
  const CacheLevel& cache = gpu_.caches.front();
  Way way{.line = address / cache.line};
  switch (goal) {
  case Goal::OnePlace:
    way.where = way.line = address;
    break;
  case Goal::OneSet:
    way.where = (cache.hashed ? spread(way.line) : way.line) % cache.sets();
    break;
  case Goal::OneDramBank: {
    const std::uint64_t chunk = address / gpu_.dram.bank_bytes;
    way.where = (gpu_.dram.hashed ? spread(chunk) : chunk) % gpu_.dram.banks;
    break;
  }
  case Goal::OneCacheBank:
    way.where = shared_->bank_of(address / shared_->line);
    break;
  case Goal::OneLocalBank:
    way.line =
        layout_.local_address({.object = object, .offset = value}) / gpu_.local_memory->bank_bytes;
    way.where = way.line % gpu_.local_memory->banks;
    break;
  case Goal::ManyLines:
  case Goal::True:
  case Goal::False:
    break;
  }
  return way;
}

// Returns the set, bank or place that most accesses can come to, at most lines.
std::optional<std::uint64_t> Addresses::place_for(const Aim& aim,
                                                  const std::vector<Access*>& accesses) {
  if (is_branch(aim.goal))
    return aim.goal == Goal::True ? 1 : 0;
  std::map<std::uint64_t, std::pair<std::size_t, std::set<std::uint64_t>>> reached;
  const std::size_t step = std::max<std::size_t>(1, accesses.size() / kSamples);
  for (std::size_t i = 0; i < accesses.size(); i += step)
    for (const std::size_t unit : accesses[i]->units) {
      if (values_.chosen[unit] || work_ > kMostWork)
        continue;
      std::set<std::uint64_t> here;
      for (const Way& way : ways_of(aim, *accesses[i], unit)) {
        here.insert(way.where);
        reached[way.where].second.insert(way.line);
      }
      for (const std::uint64_t where : here)
        ++reached[where].first;
      if (here.size() > 1)
        break;
    }
  std::vector<std::tuple<std::size_t, std::size_t, std::uint64_t>> order;
  for (const auto& [where, what] : reached)
    order.emplace_back(what.first, what.second.size(), where);
  std::ranges::stable_sort(order, std::greater{}, [](const auto& one) {
    return std::pair(std::get<0>(one), std::get<1>(one));
  });
  if (order.size() <= aim.rank)
    return std::nullopt;
  return std::get<2>(order[aim.rank]);
}

std::optional<Addresses::Values> Addresses::values_for(const Aim& aim, const Part& part) {
  values_ = current_;
  known_.clear();
  work_ = 0;
  const std::vector<Access*> accesses = accesses_of(aim, part);
  const std::optional<std::uint64_t> wanted = place_for(aim, accesses);
  if (!wanted)
    return std::nullopt;
  struct Used {
    std::uint64_t instruction = ~std::uint64_t{0}; // the last one
    std::size_t times = 0;
  };
  std::unordered_map<std::uint64_t, Used> used; // by line
  std::uint64_t instruction = ~std::uint64_t{0};
  std::size_t lines = 0; // different ones of the instruction
  bool changed = false;
  for (Access* const one : accesses) {
    Access& access = *one;
    if (work_ > kMostWork)
      break;
    const std::vector<std::size_t>& units = access.units;
    if (is_branch(aim.goal) && access.value.run(values_.values).front() == *wanted) {
      for (const std::size_t unit : units)
        values_.chosen[unit] = true;
      continue;
    }
    if (access.warp != instruction)
      lines = 0;
    instruction = access.warp;
    for (const std::size_t unit : units) {
      if (values_.chosen[unit])
        continue;
      const Way* best = nullptr;
      std::pair<bool, std::size_t> least;
      for (const Way& way : ways_of(aim, access, unit)) {
        if (way.where != *wanted)
          continue;
        const Used& line = used[way.line];
        // A line that no work-item of the warp has yet, as long as the warp may have another one;
        // then one that few have.
        const bool has = line.instruction == access.warp;
        const std::pair score(lines < aim.lines ? has : !has, line.times);
        if (!best || score < least) {
          best = &way;
          least = score;
        }
        if (!has_lines(aim.goal))
          break;
      }
      if (!best)
        continue;
      Used& line = used[best->line];
      lines += line.instruction != access.warp;
      line.instruction = access.warp;
      ++line.times;
      changed = changed || values_.values[unit] != best->value;
      values_.values[unit] = best->value;
      values_.chosen[unit] = true;
      break;
    }
  }
  if (!changed)
    return std::nullopt;
  return values_;
}

std::string Addresses::text_of(const Aim& aim, const std::vector<std::uint64_t>& before) const {
  std::map<std::uint64_t, std::size_t> reached;                                   // by place
  std::map<std::uint64_t, std::set<std::uint64_t>> lines;                         // by place
  std::map<std::uint64_t, std::set<std::pair<std::uint64_t, std::uint64_t>>> own; // by place
  std::set<std::string> names;
  std::vector<Access>& accesses = accesses_of(aim);
  for (Access& access : accesses) {
    for (const std::size_t unit : access.units)
      if (before[unit] != traced_.values[unit] && names.size() < kMostNames)
        names.insert("'" + inputs_.name_of(traced_.units[unit]) + "'");
    const auto way = way_of(aim.goal, access, access.value.run(traced_.values).front());
    if (!way)
      continue;
    ++reached[way->where];
    lines[way->where].insert(way->line);
    own[way->where].emplace(access.warp, way->line);
  }
  const auto most =
      std::ranges::max_element(reached, {}, [](const auto& one) { return one.second; });
  if (most == reached.end() || names.empty())
    return {};
  const std::uint64_t where = is_branch(aim.goal) ? aim.goal == Goal::True : most->first;
  const std::string count = reached[where] == accesses.size()
                                ? "all " + grouped(accesses.size())
                                : grouped(reached[where]) + " of " + grouped(accesses.size());
  const model::CodePlace& place = (*traced_.sites)[aim.site].place;
  const std::string at = fmt::format("{}:{}:{}", place.file, place.line, place.column);
  std::string what =
      fmt::format("{} bring{} {} ", fmt::join(names, " and "), names.size() == 1 ? "s" : "", count);
  if (is_branch(aim.goal))
    return what + fmt::format("decisions at {} to {}", at, where != 0 ? "true" : "false");
  const MemoryObject& object = trace_.objects[accesses.front().object];
  what += fmt::format("accesses to '{}' at {} to ", object.name, at);
  std::set<std::uint64_t> warps;
  for (const auto& [warp, line] : own[where])
    warps.insert(warp);
  const double of_warp = static_cast<double>(own[where].size()) / static_cast<double>(warps.size());
  const auto one_of = [&](std::size_t of, const std::string& kind, const char* parts) {
    return fmt::format("one of {} {} ({} different {}, {:.1f} of a warp at a time)", grouped(of),
                       kind, grouped(lines[where].size()), parts, of_warp);
  };
  switch (aim.goal) {
  case Goal::OnePlace:
    return what + fmt::format("one of {} elements",
                              grouped(object.size / std::max(1U, accesses.front().bytes)));
  case Goal::OneSet:
    return what +
           one_of(gpu_.caches.front().sets(), "sets of " + gpu_.caches.front().name, "lines");
  case Goal::OneDramBank:
    return what + one_of(gpu_.dram.banks, "banks of DRAM", "lines");
  case Goal::OneCacheBank:
    return what + one_of(shared_->banks, "banks of " + shared_->name, "lines");
  case Goal::OneLocalBank:
    return what + one_of(gpu_.local_memory->banks, "banks of local memory", "words");
  default:
    break;
  }
  return what +
         fmt::format("{} lines, {:.1f} of a warp at a time", grouped(lines[where].size()), of_warp);
}

void Addresses::keep(const Values& values) {
  current_ = values;
}

} // namespace gputest::memory
