// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/schedule_state.h"

#include "gputest/error.h"
#include "templates/state.h"

#include <algorithm>
#include <map>

namespace gputest::runtime {
namespace {

using Coordinates = std::array<std::uint64_t, 3>;

Coordinates coordinates(std::uint64_t linear, const Coordinates& sizes) {
  return {linear % sizes[0], linear / sizes[0] % sizes[1], linear / sizes[0] / sizes[1]};
}

// Adds parts of groups that have one shape, side by side.
void add_stage(Places& places, const model::Sizes& sizes, std::vector<std::uint32_t> stage) {
  if (!is_uniform(sizes))
    std::ranges::stable_sort(stage, {},
                             [&](std::uint32_t group) { return shape_of(sizes, group); });
  for (std::size_t i = 0; i < stage.size(); ++i) {
    const auto shape = shape_of(sizes, stage[i]);
    if (i == 0 || shape != places.parts.back().shape)
      places.parts.push_back({places.groups.size(), 0, shape});
    ++places.parts.back().count;
    places.groups.push_back(stage[i]);
  }
}

} // namespace

Launch with_local_size(const Launch& launch, std::size_t most) {
  if (launch.local_size[0] != 0)
    return launch;
  constexpr std::size_t kItems = 64, kGroups = 8;
  Launch result = launch;
  result.local_size = {1, 1, 1};
  const std::size_t global = launch.global_size[0];
  std::size_t size = std::min({most, kItems, std::max<std::size_t>(1, global / kGroups)});
  while (global % size != 0)
    --size;
  result.local_size[0] = size;
  return result;
}

bool is_uniform(const model::Sizes& sizes) {
  for (unsigned i = 0; i < sizes.dimensions; ++i)
    if (sizes.global[i] % sizes.local[i] != 0)
      return false;
  return true;
}

std::array<std::size_t, 3> shape_of(const model::Sizes& sizes, std::uint32_t group) {
  const Coordinates counts = sizes.groups();
  const Coordinates at = coordinates(group, counts);
  std::array<std::size_t, 3> shape{};
  for (unsigned i = 0; i < 3; ++i)
    shape[i] = std::min(sizes.local[i], sizes.global[i] - at[i] * sizes.local[i]);
  return shape;
}

std::vector<std::uint32_t> fitted(const model::Sizes& sizes, std::vector<std::uint32_t> order) {
  if (is_uniform(sizes))
    return order;
  std::map<std::array<std::size_t, 3>, std::vector<std::uint32_t>> waiting;
  for (const std::uint32_t group : order)
    waiting[shape_of(sizes, group)].push_back(group);
  std::map<std::array<std::size_t, 3>, std::size_t> next;
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const auto shape = shape_of(sizes, place);
    order[place] = waiting[shape][next[shape]++];
  }
  return order;
}

Places places_of(const model::Schedule& schedule, const model::Sizes& sizes) {
  Places places;
  model::Schedule sized = schedule;
  sized.sizes = sizes;
  for (std::vector<std::uint32_t> stage : model::stages(sized))
    if (schedule.strategy == model::Strategy::Permute)
      places.groups = fitted(sizes, std::move(stage));
    else
      add_stage(places, sizes, std::move(stage));
  if (schedule.items.kind != model::Order::Kind::Launched)
    places.items =
        model::permutation(schedule.items, static_cast<std::uint32_t>(sizes.items_of_group()));
  return places;
}

Places parts_as_launched(const model::Sizes& sizes) {
  Places places;
  add_stage(places, sizes, model::permutation({}, static_cast<std::uint32_t>(sizes.group_count())));
  return places;
}

void join_parts(Places& places, std::size_t groups) {
  std::vector<Part> joined;
  for (const Part& part : places.parts)
    if (!joined.empty() && joined.back().shape == part.shape &&
        joined.back().count + part.count <= groups)
      joined.back().count += part.count;
    else
      joined.push_back(part);
  places.parts = std::move(joined);
}

Launch launch_of(const Part& part, const Launch& launch) {
  Launch result = launch;
  result.local_size = part.shape;
  result.global_size = part.shape;
  result.global_size[0] *= part.count;
  result.global_offset = {part.first, 0, 0};
  return result;
}

std::uint64_t schedule_section_words(const model::Sizes& sizes) {
  return GPUTEST_SCHEDULE_GROUPS + 3 * sizes.group_count() + 3 * sizes.items_of_group();
}

std::vector<std::uint32_t> schedule_section(const model::Sizes& sizes,
                                            std::span<const std::uint32_t> groups,
                                            std::span<const std::uint32_t> items) {
  std::vector<std::uint32_t> words(schedule_section_words(sizes));
  const Coordinates counts = sizes.groups();
  for (unsigned i = 0; i < 3; ++i) {
    words[GPUTEST_SCHEDULE_GLOBAL_SIZE + 2 * i] = static_cast<std::uint32_t>(sizes.global[i]);
    words[GPUTEST_SCHEDULE_GLOBAL_SIZE + 2 * i + 1] =
        static_cast<std::uint32_t>(sizes.global[i] >> 32);
    words[GPUTEST_SCHEDULE_GLOBAL_OFFSET + 2 * i] = static_cast<std::uint32_t>(sizes.offset[i]);
    words[GPUTEST_SCHEDULE_GLOBAL_OFFSET + 2 * i + 1] =
        static_cast<std::uint32_t>(sizes.offset[i] >> 32);
    words[GPUTEST_SCHEDULE_GROUP_COUNTS + i] = static_cast<std::uint32_t>(counts[i]);
    words[GPUTEST_SCHEDULE_LOCAL_SIZE + i] = static_cast<std::uint32_t>(sizes.local[i]);
  }
  std::size_t at = GPUTEST_SCHEDULE_GROUPS;
  const auto add = [&](std::span<const std::uint32_t> ids, const Coordinates& of) {
    for (const std::uint32_t id : ids)
      for (const std::uint64_t coordinate : coordinates(id, of))
        words[at++] = static_cast<std::uint32_t>(coordinate);
  };
  add(groups, counts);
  words[GPUTEST_SCHEDULE_ITEMS] = items.empty() ? 0 : static_cast<std::uint32_t>(at);
  add(items, sizes.local);
  return words;
}

Bytes make_schedule_state(const model::Sizes& sizes, const Places& places, std::uint32_t budget,
                          bool trace) {
  std::vector<std::uint32_t> words(GPUTEST_STATE_HEADER_WORDS);
  words[GPUTEST_STATE_MAGIC_WORD] = GPUTEST_STATE_MAGIC;
  words[GPUTEST_STATE_VERSION_WORD] = GPUTEST_STATE_VERSION;
  words[GPUTEST_STATE_SCHEDULE] = GPUTEST_STATE_HEADER_WORDS;
  words[GPUTEST_STATE_TRACE] = trace ? 1 : 0;
  words[GPUTEST_STATE_BUDGET] = budget;
  const std::vector<std::uint32_t> section = schedule_section(sizes, places.groups, places.items);
  words.insert(words.end(), section.begin(), section.end());
  const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

Bytes make_schedule_state(const model::Sizes& sizes) {
  return make_schedule_state(sizes, places_of({}, sizes));
}

ScheduleNotice read_schedule_notice(std::span<const std::byte> state) {
  const auto word = [&](std::size_t at) {
    return load<std::uint32_t>(state.data() + at * sizeof(std::uint32_t));
  };
  if (state.size() < GPUTEST_STATE_HEADER_WORDS * sizeof(std::uint32_t) ||
      word(GPUTEST_STATE_MAGIC_WORD) != GPUTEST_STATE_MAGIC)
    throw DeviceError("the kernel wrote over memory that is no argument's");
  ScheduleNotice notice;
  if ((word(GPUTEST_STATE_EVENTS) & GPUTEST_EVENT_BUDGET) != 0)
    notice.waits_in = word(GPUTEST_STATE_GUARD);
  notice.iterations = word(GPUTEST_STATE_ITERATIONS);
  return notice;
}

} // namespace gputest::runtime
