#include "runtime/schedule_state.h"

#include "templates/state.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

namespace gputest::runtime {
namespace {

using Coordinates = std::array<std::uint64_t, 3>;

Coordinates coordinates(std::uint64_t linear, const Coordinates& sizes) {
  return {linear % sizes[0], linear / sizes[0] % sizes[1], linear / sizes[0] / sizes[1]};
}

} // namespace

model::Sizes sizes_of(const Launch& launch) {
  model::Sizes sizes;
  sizes.dimensions = launch.dimensions;
  for (unsigned i = 0; i < launch.dimensions; ++i) {
    sizes.global[i] = launch.global_size[i];
    sizes.local[i] = launch.local_size[i];
    sizes.offset[i] = launch.global_offset[i];
  }
  return sizes;
}

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

std::uint64_t schedule_section_words(const model::Sizes& sizes) {
  return GPUTEST_SCHEDULE_GROUPS + 3 * sizes.group_count() + 3 * sizes.item_count();
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

Bytes make_schedule_state(const model::Sizes& sizes) {
  std::vector<std::uint32_t> words(GPUTEST_STATE_HEADER_WORDS);
  words[GPUTEST_STATE_MAGIC_WORD] = GPUTEST_STATE_MAGIC;
  words[GPUTEST_STATE_VERSION_WORD] = GPUTEST_STATE_VERSION;
  words[GPUTEST_STATE_SCHEDULE] = GPUTEST_STATE_HEADER_WORDS;
  words[GPUTEST_STATE_BUDGET] = std::numeric_limits<std::uint32_t>::max();
  const auto groups = model::permutation({}, static_cast<std::uint32_t>(sizes.group_count()));
  const std::vector<std::uint32_t> section = schedule_section(sizes, groups, {});
  words.insert(words.end(), section.begin(), section.end());
  const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

} // namespace gputest::runtime
