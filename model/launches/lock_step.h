// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lock step: that many neighbouring work-items make each access together, as the lanes of a warp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gputest::model {

constexpr std::array<std::uint64_t, 6> kLockSteps{2, 4, 8, 16, 32, 64};
constexpr const char* kLockStepNumbers = "2, 4, 8, 16, 32 and 64";

constexpr bool is_lock_step(std::uint64_t work_items) {
  return std::ranges::find(kLockSteps, work_items) != kLockSteps.end();
}

// What messages say of numbers that cannot be, and of groups that have too few work-items.
inline std::string no_lock_step(const std::string& work_items) {
  return work_items + " work-items cannot be in lock step: " + kLockStepNumbers + " can";
}
inline std::string too_few_for_lock_step(std::uint64_t work_items, std::uint64_t of_group) {
  return std::to_string(work_items) + " work-items cannot be in lock step, because a work-group " +
         "has " + std::to_string(of_group);
}

// Returns why so many work-items of a group cannot be in lock step, or no text.
inline std::string why_not_in_step(std::uint64_t work_items,
                                   const std::vector<std::size_t>& local_size) {
  if (!is_lock_step(work_items))
    return no_lock_step(std::to_string(work_items));
  if (local_size.empty())
    return std::to_string(work_items) + " work-items are in lock step, so give a local size";
  std::uint64_t of_group = 1; // up to `work_items`, so that nothing overflows
  for (const std::size_t size : local_size)
    of_group *= std::min<std::uint64_t>(size, work_items);
  return of_group < work_items ? too_few_for_lock_step(work_items, of_group) : "";
}

// The macro that asks the simulator for it: GPUTEST_LOCK_STEP=32.
constexpr const char* kLockStepMacro = "GPUTEST_LOCK_STEP";
inline std::string lock_step_definition(std::uint64_t work_items) {
  return std::string(kLockStepMacro) + "=" + std::to_string(work_items);
}
// Returns what definitions of macros ask for, as they say it, or no text.
inline std::string lock_step_in(const std::vector<std::string>& definitions) {
  const std::string start = std::string(kLockStepMacro) + "=";
  for (const std::string& definition : definitions)
    if (definition.starts_with(start))
      return definition.substr(start.size());
  return "";
}
// Returns it as a number, which is 0 if nothing is asked for, or nothing possible.
inline std::uint64_t lock_step_number(const std::vector<std::string>& definitions) {
  const std::string wanted = lock_step_in(definitions);
  for (const std::uint64_t number : kLockSteps)
    if (std::to_string(number) == wanted)
      return number;
  return 0;
}

} // namespace gputest::model
