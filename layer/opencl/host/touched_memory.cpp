// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/host/touched_memory.h"

#include <algorithm>
#include <optional>

namespace gputest::layer {
namespace {

bool conflict(const Touch& one, const Touch& other) {
  return (one.write || other.write) && !(one.atomic && other.atomic);
}

// Returns the conflict at the lowest byte.
std::optional<TouchConflict> first_conflict(const std::vector<Touch>& earlier,
                                            const std::vector<Touch>& later) {
  std::optional<TouchConflict> first;
  for (const Touch& one : earlier)
    for (const Touch& other : later) {
      if (other.begin >= one.begin + one.size)
        break;
      const std::uint64_t byte = std::max(one.begin, other.begin);
      if (byte < other.begin + other.size && conflict(one, other) && (!first || byte < first->byte))
        first = {.earlier = nullptr, .of_earlier = one, .of_later = other, .byte = byte};
    }
  return first;
}

// Whether whatever conflicts with `old` would conflict with `now` as well.
bool is_covered(const std::vector<Touch>& old, const std::vector<Touch>& now) {
  return std::ranges::all_of(old, [&](const Touch& one) {
    return std::ranges::any_of(now, [&](const Touch& other) {
      return other.begin <= one.begin && other.begin + other.size >= one.begin + one.size &&
             (other.write || !one.write) && (!other.atomic || one.atomic);
    });
  });
}

} // namespace

std::vector<TouchConflict> TouchedMemory::add(const void* memory, const CommandPtr& command,
                                              std::vector<Touch> touches, const Clock& host) {
  std::ranges::sort(touches, {}, &Touch::begin);
  std::vector<Entry>& entries = memory_[memory];
  std::vector<TouchConflict> found;
  std::erase_if(entries, [&](const Entry& entry) {
    if (entry.command == command)
      return false;
    if (entry.command->is_before(host))
      return true;
    if (entry.command->is_before(command->done))
      return !command->is_open && is_covered(entry.touches, touches);
    if (unordered(*entry.command, *command))
      if (auto conflict = first_conflict(entry.touches, touches)) {
        conflict->earlier = entry.command;
        found.push_back(*std::move(conflict));
      }
    return false;
  });
  entries.push_back({command, std::move(touches)});
  if (entries.size() > kMost)
    entries.erase(entries.begin());
  return found;
}

void TouchedMemory::forget(const void* memory) {
  memory_.erase(memory);
}

} // namespace gputest::layer
