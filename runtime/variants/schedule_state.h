// The section `schedule` of a state buffer (templates/state.h): who stands at which place.
#pragma once

#include "gputest/launch.h"
#include "model/schedules/schedule.h"
#include "runtime/cases/bytes.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gputest::runtime {

// Iterations of a loop that may wait, before it is looked whether it waits in vain: some tenths of
// a second. Iterations of a GPU take longer, because they read memory past its first caches.
constexpr std::uint32_t kWaitingOnCpu = 1u << 22, kWaitingOnGpu = 1u << 19;

// How many times as long such a loop may wait before a launch is said to hang.
constexpr std::uint32_t kWaitingPatience = 32;

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

// Places of an order that are launched together, side by side along x.
struct Part {
  std::size_t first = 0, count = 0;   // places
  std::array<std::size_t, 3> shape{}; // of each group
};

// Who stands where under a schedule.
struct Places {
  std::vector<std::uint32_t> groups; // linear ids by place
  std::vector<std::uint32_t> items;  // the same of work-items; empty: the device's order
  // Where groups are launched in parts (GPUTEST_FLAT): these, in order; empty: in one launch.
  std::vector<Part> parts;
};
// Throws FormatError where the schedule does not fit.
Places places_of(const model::Schedule& schedule, const model::Sizes& sizes);
// All as launched, in as few parts as there are shapes of groups.
Places parts_as_launched(const model::Sizes& sizes);
// Launches neighbouring parts together, up to `groups` groups, where their shape is the same.
void join_parts(Places& places, std::size_t groups);
// A part of `launch`, which has a local size.
Launch launch_of(const Part& part, const Launch& launch);

// Words of the section. `groups`: linear ids by place; `items`: the same of work-items, or empty:
// they have the device's order. Throws std::bad_alloc.
std::vector<std::uint32_t> schedule_section(const model::Sizes& sizes,
                                            std::span<const std::uint32_t> groups,
                                            std::span<const std::uint32_t> items);
// How many words that is, whatever the order.
std::uint64_t schedule_section_words(const model::Sizes& sizes);

// Header and section. `budget`: of loops that may wait; `trace`: their iterations are recorded.
Bytes make_schedule_state(const model::Sizes& sizes, const Places& places,
                          std::uint32_t budget = std::numeric_limits<std::uint32_t>::max(),
                          bool trace = false);
// Everything as launched, and no loop is ended.
Bytes make_schedule_state(const model::Sizes& sizes);

// What kernels left in the header.
struct ScheduleNotice {
  unsigned waits_in = 0;        // number of a loop that used up its budget; 0: none
  std::uint32_t iterations = 0; // traced: the most that a work-item did in loops that may wait
};
// Throws DeviceError where something wrote over it.
ScheduleNotice read_schedule_notice(std::span<const std::byte> state);

} // namespace gputest::runtime
