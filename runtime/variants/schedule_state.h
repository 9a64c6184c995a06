// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section `schedule` of a state buffer (templates/state.h): which group and work-item stands at
// which place.
#pragma once

#include "gputest/launch.h"
#include "model/schedules/schedule.h"
#include "runtime/cases/bytes.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gputest::runtime {

// A loop that may wait runs this many iterations before the search asks whether it waits in vain.
// These take some tenths of a second. Iterations of a GPU take longer, because they read memory
// past its first caches.
constexpr std::uint32_t kWaitingOnCpu = 1u << 22, kWaitingOnGpu = 1u << 19;

// Such a loop may wait this many times as long before a launch is said to hang.
constexpr std::uint32_t kWaitingPatience = 32;

// Returns `launch` with a local size: its own, or else one that divides its sizes, of at most
// `most` work-items, and small enough for several groups.
Launch with_local_size(const Launch& launch, std::size_t most);

// Returns `order` with each of its groups moved to the next place that fits. Groups that are not
// full can only change places with groups of their shape.
std::vector<std::uint32_t> fitted(const model::Sizes& sizes, std::vector<std::uint32_t> order);

// Returns whether all groups are full.
bool is_uniform(const model::Sizes& sizes);

// Returns the local size of a group, by its linear id.
std::array<std::size_t, 3> shape_of(const model::Sizes& sizes, std::uint32_t group);

// A part of an order: places that are launched together, side by side along x.
struct Part {
  std::size_t first = 0, count = 0;   // places
  std::array<std::size_t, 3> shape{}; // local size of each group
};

// Which group and work-item stands where under a schedule.
struct Places {
  std::vector<std::uint32_t> groups; // linear ids by place
  std::vector<std::uint32_t> items;  // linear ids of work-items by place; empty: the device's order
  // The parts that groups are launched in, in order (GPUTEST_FLAT); empty: all in one launch.
  std::vector<Part> parts;
};
// Returns the places under a schedule. Throws FormatError where the schedule does not fit.
Places places_of(const model::Schedule& schedule, const model::Sizes& sizes);
// Returns all groups as launched, in as few parts as there are shapes of groups.
Places parts_as_launched(const model::Sizes& sizes);
// Joins neighbouring parts of the same shape, up to `groups` groups.
void join_parts(Places& places, std::size_t groups);
// Returns the launch of a part of `launch`, which must have a local size.
Launch launch_of(const Part& part, const Launch& launch);

// Returns the words of the section. `groups`: linear ids by place. `items`: the same for
// work-items; empty: they have the device's order. Throws std::bad_alloc.
std::vector<std::uint32_t> schedule_section(const model::Sizes& sizes,
                                            std::span<const std::uint32_t> groups,
                                            std::span<const std::uint32_t> items);
// Returns the number of words of the section, whatever the order.
std::uint64_t schedule_section_words(const model::Sizes& sizes);

// Returns header and section. `budget`: iterations of loops that may wait. `trace`: records their
// iterations.
Bytes make_schedule_state(const model::Sizes& sizes, const Places& places,
                          std::uint32_t budget = std::numeric_limits<std::uint32_t>::max(),
                          bool trace = false);
// As above, with everything as launched. No loop is ended.
Bytes make_schedule_state(const model::Sizes& sizes);

// The words that kernels left in the header.
struct ScheduleNotice {
  unsigned waits_in = 0; // number of a loop that used up its budget; 0: none
  // With trace: iterations of loops that may wait, of the busiest work-item.
  std::uint32_t iterations = 0;
};
// Reads the header. Throws DeviceError where something wrote over it.
ScheduleNotice read_schedule_notice(std::span<const std::byte> state);

} // namespace gputest::runtime
