// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/separate.h"

#include "simulator/memory/ndrange.h"
#include "simulator/parallel/forms.h"
#include "simulator/parallel/workers.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace gputest::simulator {
namespace {

// A part of an access's address.
struct Part {
  Form form;
  std::int64_t size = 1; // bytes, or units of a quotient
  const Forms* values = nullptr;

  Range range() const {
    const Range first = values->range(form);
    return {first.low, std::min(first.high, kFar - size) + size - 1};
  }
};

using Dimensions = std::vector<unsigned>; // variables of forms: ids of groups, and local ids

// Whether the parts of two groups, or work-items, differ if their ids in this dimension do: ids
// move all parts by the same distance, which is longer than what a group takes.
bool moves_far(const std::vector<Part>& parts, unsigned dimension) {
  const std::int64_t distance = parts.front().form.factor(dimension);
  std::optional<Range> all;
  for (const Part& part : parts) {
    if (part.form.factor(dimension) != distance)
      return false;
    Part rest = part;
    rest.form.factors.erase(dimension);
    const Range taken = rest.range();
    all = joined(all.value_or(taken), taken);
  }
  return all->low > -kFar && all->high < kFar && all->high - all->low < std::abs(distance);
}

struct Halves {
  std::vector<Part> rows, columns;
};

// Splits parts into rows of `width` units and the columns within a row; nullopt: not all columns
// are within one row.
std::optional<Halves> split(const std::vector<Part>& parts, std::int64_t width) {
  Halves halves;
  std::optional<std::int64_t> base;
  std::optional<Range> all;
  for (const Part& part : parts) {
    Part row{.form = {}, .size = 1, .values = part.values}, column = part;
    for (const auto& [variable, factor] : part.form.factors)
      if (factor % width == 0) {
        row.form.factors[variable] = factor / width;
        column.form.factors.erase(variable);
      }
    Range taken = column.range();
    if (taken.low <= -kFar || taken.high >= kFar)
      return std::nullopt;
    if (!base)
      base = taken.low;
    const std::int64_t rows = divided(taken.low - *base + width / 2, width);
    row.form.constant = rows;
    column.form.constant -= rows * width;
    taken = {taken.low - rows * width, taken.high - rows * width};
    all = joined(all.value_or(taken), taken);
    if (all->high - all->low >= width)
      return std::nullopt;
    halves.rows.push_back(std::move(row));
    halves.columns.push_back(std::move(column));
  }
  return halves;
}

bool depends(const std::vector<Part>& parts, unsigned dimension) {
  return std::ranges::any_of(parts,
                             [&](const Part& part) { return part.form.factor(dimension) != 0; });
}

// Whether such parts differ if the ids in one of these dimensions do, whatever the ids
// in others are.
bool differ(const std::vector<Part>& parts, const Dimensions& dimensions) {
  if (dimensions.empty())
    return true;
  if (dimensions.size() == 1 && moves_far(parts, dimensions.front()))
    return true;
  std::set<std::int64_t, std::greater<>> widths;
  for (const Part& part : parts)
    for (const auto& [variable, factor] : part.form.factors)
      if (std::abs(factor) > 1)
        widths.insert(std::abs(factor));
  return std::ranges::any_of(widths, [&](std::int64_t width) {
    const std::optional<Halves> halves = split(parts, width);
    if (!halves)
      return false;
    Dimensions of_rows, of_columns;
    for (const unsigned dimension : dimensions) {
      const bool row = depends(halves->rows, dimension);
      if (row == depends(halves->columns, dimension))
        return false;
      (row ? of_rows : of_columns).push_back(dimension);
    }
    return differ(halves->rows, of_rows) && differ(halves->columns, of_columns);
  });
}

// An access in a launch.
struct Placed {
  const GroupAccess* access = nullptr;
  std::int64_t begin = 0;
};

// Whether only one group, or work-item, makes the accesses.
bool is_of_one(const std::vector<Part>& parts, const Dimensions& dimensions) {
  return std::ranges::all_of(dimensions, [&](unsigned dimension) {
    const Range first = parts.front().values->range_of(dimension);
    return std::ranges::all_of(parts, [&](const Part& part) {
      const Range ids = part.values->range_of(dimension);
      return ids.low == ids.high && ids.low == first.low;
    });
  });
}

bool are_separate(const std::vector<Placed>& placed, const GroupAccesses& accesses,
                  const gputest_context& context, std::span<const std::byte> arguments,
                  const Dimensions& dimensions, Updates updates) {
  std::vector<Forms> values;
  values.reserve(placed.size()); // parts point to them
  std::vector<Part> parts;
  const GroupAccess& first = *placed.front().access;
  if (updates == Updates::Commute && first.update != 0 &&
      std::ranges::all_of(placed, [&](const Placed& each) {
        return each.access->update == first.update && each.access->size == first.size;
      }))
    return true;
  for (const auto& [access, begin] : placed) {
    Forms& its = values.emplace_back(accesses, context, arguments);
    if (!its.assume(access->where))
      continue; // it is never made
    if (!access->offset || access->size > static_cast<std::uint64_t>(kFar))
      return false;
    const std::optional<Form> form = sum(its.of(*access->offset), {.constant = begin});
    if (!form)
      return false;
    parts.push_back({*form, static_cast<std::int64_t>(access->size), &its});
  }
  return parts.empty() || is_of_one(parts, dimensions) || differ(parts, dimensions);
}

// The accesses of a launch by the memory that they are in.
struct Memories {
  Memories(const GroupAccesses& all, std::span<const std::optional<ObjectPlace>> places) {
    bool anywhere = false;
    for (const GroupAccess& access : all.accesses) {
      const auto number = static_cast<std::size_t>(access.object); // -1 becomes larger than all
      const std::optional<ObjectPlace> place =
          number < places.size() ? places[number] : std::nullopt;
      if (!place && access.writes)
        why_not = "it writes through a pointer that is no argument";
      anywhere = anywhere || !place;
      if (!place || place->null)
        continue;
      accesses[place->memory].push_back({&access, place->begin});
      if (access.writes)
        written.insert(place->memory);
      kept.try_emplace(place->memory, place->kept);
    }
    if (why_not.empty() && anywhere && !written.empty())
      why_not = "it reads through a pointer that is no argument";
  }

  std::map<std::uint64_t, std::vector<Placed>> accesses;
  std::map<std::uint64_t, bool> kept; // ObjectPlace::kept
  std::set<std::uint64_t> written;
  std::string why_not; // why it is not known what is accessed; "": it is
};

// The dimensions with several groups.
Dimensions groups_of_several(const gputest_context& context) {
  Dimensions dimensions;
  for (unsigned i = 0; i < 3; ++i)
    if (context.num_groups[i] > 1)
      dimensions.push_back(kGroupIds + i);
  return dimensions;
}

} // namespace

std::string why_not_separate(const GroupAccesses& accesses, const gputest_context& context,
                             std::span<const std::byte> arguments,
                             std::span<const std::optional<ObjectPlace>> places, Updates updates) {
  if (!accesses.unknown.empty())
    return accesses.unknown;
  const Memories memories(accesses, places);
  if (!memories.why_not.empty())
    return memories.why_not;
  for (const std::uint64_t memory : memories.written) {
    if (!memories.kept.at(memory))
      return "it writes program-scope variables";
    if (!are_separate(memories.accesses.at(memory), accesses, context, arguments,
                      groups_of_several(context), updates))
      return "work-groups may access what others write";
  }
  return "";
}

std::uint64_t own_objects(const GroupAccesses& accesses, const gputest_context& context,
                          std::span<const std::byte> arguments,
                          std::span<const std::optional<ObjectPlace>> places) {
  constexpr std::size_t kBits = 64;
  if (!accesses.unknown.empty())
    return 0;
  const Memories memories(accesses, places);
  if (!memories.why_not.empty())
    return 0;
  Dimensions ids = groups_of_several(context);
  for (unsigned i = 0; i < 3; ++i)
    if (context.enqueued_local_size[i] > 1)
      ids.push_back(kLocalIds + i);
  std::uint64_t own = 0;
  for (const auto& [memory, placed] : memories.accesses)
    if (!memories.written.contains(memory) ||
        are_separate(placed, accesses, context, arguments, ids, Updates::InOrder))
      for (std::size_t i = 0; i < std::min(places.size(), kBits); ++i)
        if (places[i] && !places[i]->null && places[i]->memory == memory)
          own |= std::uint64_t{1} << i;
  return own;
}

bool is_worth_knowing_own(const gputest_context& context) {
  constexpr std::uint64_t kFewestItems = 512, kFewestBytes = std::uint64_t{1} << 16;
  std::uint64_t items = groups_of(context), bytes = 0;
  for (const std::uint64_t size : context.enqueued_local_size)
    items *= size;
  for (const auto& object : std::span(context.objects, context.object_count))
    bytes += object.size;
  return items >= kFewestItems || bytes >= kFewestBytes;
}

unsigned processes_for(const std::function<const std::optional<GroupAccesses>&()>& accesses,
                       const gputest_context& context, std::span<const std::byte> arguments,
                       const std::function<ObjectPlaces()>& places, Updates updates) {
  const unsigned most = simulator_threads();
  if (most == 1)
    return 1;
  const std::optional<GroupAccesses>& known = accesses();
  return known && why_not_separate(*known, context, arguments, places(), updates).empty() ? most
                                                                                          : 1;
}

} // namespace gputest::simulator
