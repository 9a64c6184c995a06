// The section `schedule` of a state buffer (templates/state.h): who stands at which place.
#pragma once

#include "gputest/launch.h"
#include "model/schedule.h"
#include "runtime/bytes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gputest::runtime {

// The sizes of `launch`, which has a local size.
model::Sizes sizes_of(const Launch& launch);

// `launch` with a local size: its own, or else one that divides its sizes, of at most `most`
// work-items and small enough for several groups.
Launch with_local_size(const Launch& launch, std::size_t most);

// Groups that are not full can only change places with groups of their shape: `order` with each of
// its groups moved to the next place that fits.
std::vector<std::uint32_t> fitted(const model::Sizes& sizes, std::vector<std::uint32_t> order);

// Whether all groups are full.
bool is_uniform(const model::Sizes& sizes);

// The local size of a group, by its linear id.
std::array<std::size_t, 3> shape_of(const model::Sizes& sizes, std::uint32_t group);

// Words of the section. `groups`: linear ids by place; `items`: the same of work-items, or empty:
// they have the device's order. Throws std::bad_alloc.
std::vector<std::uint32_t> schedule_section(const model::Sizes& sizes,
                                            std::span<const std::uint32_t> groups,
                                            std::span<const std::uint32_t> items);
// How many words that is, whatever the order.
std::uint64_t schedule_section_words(const model::Sizes& sizes);

// Header and section: everything as launched, and no loop is ended.
Bytes make_schedule_state(const model::Sizes& sizes);

} // namespace gputest::runtime
