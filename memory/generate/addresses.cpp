// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/generate/addresses.h"

#include "memory/model/cache.h"
#include "memory/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace gputest::memory {
namespace {

using testgen::Event;
using testgen::Label;
using testgen::TracedSite;

constexpr std::size_t kMostEvents = 8192; // of a site
constexpr std::size_t kMostUnits = 4;     // of an address

} // namespace

Addresses::Addresses(const testgen::Traced& traced, const LaunchTrace& trace, const Gpu& gpu,
                     const Inputs& inputs)
    : traced_(traced), trace_(trace), gpu_(gpu), inputs_(inputs), layout_(trace),
      values_(traced.values), decided_(traced.units.size()) {}

std::optional<std::size_t> Addresses::traced_object(const Event& event) const {
  if (event.label == 0 || event.object == Event::kNoObject)
    return std::nullopt;
  const std::string& name = traced_.shape->objects[event.object].name;
  const auto object = std::ranges::find(trace_.objects, name, &MemoryObject::name);
  if (object == trace_.objects.end())
    return std::nullopt;
  return static_cast<std::size_t>(object - trace_.objects.begin());
}

std::vector<Addresses::Aim> Addresses::aims() const {
  std::map<std::uint32_t, std::pair<std::size_t, bool>> sites; // accesses, and whether on chip
  for (const Event& event : traced_.events)
    if ((*traced_.sites)[event.site].kind == TracedSite::Kind::Address)
      if (const auto object = traced_object(event)) {
        auto& [count, on_chip] = sites[event.site];
        ++count;
        on_chip = gpu_.local_memory && trace_.objects[*object].local;
      }
  std::vector<std::pair<std::uint32_t, std::pair<std::size_t, bool>>> order(sites.begin(),
                                                                            sites.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& one) { return one.second.first; });
  std::vector<Aim> aims;
  for (const auto& [site, what] : order)
    if (what.second)
      for (const Goal goal : {Goal::OneLocalBank, Goal::OnePlace})
        aims.push_back({.site = site, .goal = goal});
    else
      for (const Goal goal : {Goal::OneSet, Goal::OneDramBank, Goal::OnePlace, Goal::ManyLines})
        aims.push_back({.site = site, .goal = goal});
  return aims;
}

// Values of the address for all candidates of the unit. Equal forms have equal values, since only
// the unit is an input.
const std::vector<std::uint64_t>&
Addresses::offsets_of(testgen::Tape& tape, std::size_t unit,
                      const std::vector<std::uint64_t>& candidates) {
  const std::vector<Label>& parts = tape.parts();
  std::vector<std::uint64_t> form{traced_.units[unit].argument, traced_.units[unit].size};
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
                                                       : values_[part - 1]);
  }
  auto [known, added] = known_.try_emplace(std::move(form));
  if (added) {
    std::vector<std::uint64_t> inputs = values_;
    for (const std::uint64_t candidate : candidates) {
      inputs[unit] = candidate;
      known->second.push_back(tape.run(inputs).front());
    }
  }
  return known->second;
}

std::uint64_t Addresses::line_of(const Aim& aim, std::size_t object, std::uint64_t offset) const {
  const std::uint64_t address = layout_.begin_of(static_cast<std::uint32_t>(object)) + offset;
  return aim.goal == Goal::OneLocalBank ? address / gpu_.local_memory->bank_bytes
         : aim.goal == Goal::OnePlace   ? address
                                        : address / gpu_.caches.front().line;
}

std::uint64_t Addresses::class_of(const Aim& aim, std::size_t object, std::uint64_t offset) const {
  const std::uint64_t address = layout_.begin_of(static_cast<std::uint32_t>(object)) + offset;
  const CacheLevel& cache = gpu_.caches.front();
  switch (aim.goal) {
  case Goal::OnePlace:
    return address;
  case Goal::OneSet:
    return (cache.hashed ? spread(address / cache.line) : address / cache.line) % cache.sets();
  case Goal::OneDramBank: {
    const std::uint64_t chunk = address / gpu_.dram.bank_bytes;
    return (gpu_.dram.hashed ? spread(chunk) : chunk) % gpu_.dram.banks;
  }
  case Goal::OneLocalBank:
    return layout_.local_address({.object = static_cast<std::uint32_t>(object), .offset = offset}) /
           gpu_.local_memory->bank_bytes % gpu_.local_memory->banks;
  case Goal::ManyLines:
    return 0;
  }
  return 0;
}

std::optional<Addresses::Input> Addresses::input_for(const Aim& aim) {
  std::vector<std::uint64_t> values = values_;
  std::vector<bool> decided = decided_;
  std::optional<std::uint64_t> wanted;
  std::map<std::uint64_t, std::size_t> used; // by line: accesses
  struct Access {
    std::size_t object;
    testgen::Tape address;
  };
  std::vector<Access> accesses;
  bool changed = false;
  std::string name;
  for (const Event& event : traced_.events) {
    const auto object = event.site == aim.site ? traced_object(event) : std::nullopt;
    if (!object || accesses.size() == kMostEvents)
      continue;
    testgen::Tape& address =
        accesses
            .emplace_back(*object, testgen::Tape(traced_.table, std::array{event.label},
                                                 traced_.functions.get()))
            .address;
    name = trace_.objects[*object].name;
    const std::vector<std::size_t> units = address.units();
    if (units.size() > kMostUnits)
      continue;
    const auto unit = std::ranges::find_if(units, [&](std::size_t one) { return !decided[one]; });
    if (unit == units.end())
      continue;
    const std::vector<std::uint64_t> candidates = inputs_.candidates(traced_.units[*unit]);
    const std::vector<std::uint64_t>& offsets = offsets_of(address, *unit, candidates);
    const std::uint64_t size = trace_.objects[*object].size;
    const auto fits = [&](std::uint64_t offset) {
      return offset < size && event.bytes <= size - offset;
    };
    if (!wanted) { // what most different lines can do
      std::map<std::uint64_t, std::set<std::uint64_t>> lines;
      for (const std::uint64_t offset : offsets)
        if (fits(offset))
          lines[class_of(aim, *object, offset)].insert(line_of(aim, *object, offset));
      if (lines.empty())
        continue;
      wanted = std::ranges::max_element(lines, {}, [](const auto& one) {
                 return one.second.size();
               })->first;
    }
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (fits(offsets[i]) && class_of(aim, *object, offsets[i]) == *wanted &&
          (!best ||
           used[line_of(aim, *object, offsets[i])] < used[line_of(aim, *object, offsets[*best])]))
        best = i;
    if (!best)
      continue;
    ++used[line_of(aim, *object, offsets[*best])];
    changed = changed || values[*unit] != candidates[*best];
    values[*unit] = candidates[*best];
    decided[*unit] = true;
  }
  if (!changed)
    return std::nullopt;
  std::size_t reached = 0;
  std::set<std::uint64_t> lines;
  for (auto& [object, address] : accesses) {
    const std::uint64_t offset = address.run(values).front();
    if (class_of(aim, object, offset) != *wanted)
      continue;
    ++reached;
    lines.insert(line_of(aim, object, offset));
  }
  last_values_ = values;
  last_decided_ = std::move(decided);
  const model::CodePlace& place = (*traced_.sites)[aim.site].place;
  constexpr std::array kWhere{"at one place", "in one set of the nearest cache",
                              "in one bank of DRAM", "in one bank of local memory",
                              "spread over lines"};
  return Input{.values = std::move(values),
               .what =
                   fmt::format("{} of {} accesses to '{}' at {}:{}:{} are {} ({} different {})",
                               grouped(reached), grouped(accesses.size()), name, place.file,
                               place.line, place.column,
                               kWhere.at(static_cast<std::size_t>(aim.goal)), grouped(lines.size()),
                               aim.goal == Goal::OnePlace       ? "places"
                               : aim.goal == Goal::OneLocalBank ? "words"
                                                                : "lines")};
}

void Addresses::keep() {
  values_ = last_values_;
  decided_ = last_decided_;
  known_.clear(); // the values of other units are others
}

} // namespace gputest::memory
