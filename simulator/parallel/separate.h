// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the work-groups of a launch may run at the same time, with the result of one after the
// other: none of them accesses what another one writes. And the same of work-items, for some
// memory.
#pragma once

#include "simulator/parallel/group_accesses.h"
#include "templates/simulator/context.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gputest::simulator {

// Where an object of the shape is in a launch.
struct ObjectPlace {
  std::uint64_t memory = 0; // a number of the allocation that it is in; the same for all objects
                            // that are in one
  std::int64_t begin = 0;   // bytes behind the allocation's begin
  bool null = false;        // a null pointer, which nothing accesses
  bool kept = true;         // what a fork of this process writes is seen by this process
};

using ObjectPlaces = std::vector<std::optional<ObjectPlace>>; // as for why_not_separate()

// Whether groups may make updates (GroupAccess::update) of the same memory at the same time. Checks
// of memory must see the order of all accesses.
enum class Updates { Commute, InOrder };

// Returns "" if the groups are separate, else why that is not known. `places`: by the object's
// number; nullopt: in any memory. `arguments`: the block of arguments.
std::string why_not_separate(const GroupAccesses& accesses, const gputest_context& context,
                             std::span<const std::byte> arguments,
                             std::span<const std::optional<ObjectPlace>> places,
                             Updates updates = Updates::Commute);

// Returns the objects, as bits by their numbers, in whose memory no work-item accesses what another
// one writes, as far as that is known. Objects from number 64 on have no bit.
std::uint64_t own_objects(const GroupAccesses& accesses, const gputest_context& context,
                          std::span<const std::byte> arguments,
                          std::span<const std::optional<ObjectPlace>> places);

// Whether a launch may gain more from own_objects() than that takes: it has 512 work-items or more,
// or its objects have 64 KiB or more together. Marks, which own objects save, are of each byte, so
// few work-items that access much have many. The context must have its table of objects.
bool is_worth_knowing_own(const gputest_context& context);

// Returns how many processes may run the launch's groups (workers.h). `accesses` and `places` are
// called where there are several cores; accesses of nullopt are not known.
unsigned processes_for(const std::function<const std::optional<GroupAccesses>&()>& accesses,
                       const gputest_context& context, std::span<const std::byte> arguments,
                       const std::function<ObjectPlaces()>& places, Updates updates);

} // namespace gputest::simulator
