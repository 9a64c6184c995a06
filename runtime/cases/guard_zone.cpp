// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/guard_zone.h"

#include <fmt/format.h>

namespace gputest::runtime {
namespace {

// Returns the pattern's byte at `at`. Neighbouring bytes differ, and none is a likely value.
std::byte guard(std::size_t at) {
  return static_cast<std::byte>(0xA5 ^ (at * 37 & 0xff));
}

// The elements of a zone of which a byte has changed. All of their bytes count as written: some may
// have been written and be what they were.
struct Changed {
  std::size_t elements = 0, first = 0, last = 0; // indices of elements in the zone
};

// `part`: bytes in front of the zone's first whole element, which count as one of it.
Changed changes_of(std::span<const std::byte> zone, std::size_t part, std::size_t element_size) {
  Changed changed;
  for (std::size_t i = 0; i < zone.size(); ++i) {
    if (zone[i] == guard(i))
      continue;
    const std::size_t element = i < part ? 0 : (i - part) / element_size;
    if (changed.elements == 0)
      changed.first = element;
    if (changed.elements == 0 || changed.last != element)
      ++changed.elements;
    changed.last = element;
  }
  return changed;
}

std::string bytes_of(const Changed& changed, const LaunchArgument& argument) {
  const std::size_t bytes = changed.elements * argument.element_size;
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

} // namespace

Bytes guard_zone() {
  Bytes zone(kGuardBytes);
  for (std::size_t i = 0; i < zone.size(); ++i)
    zone[i] = guard(i);
  return zone;
}

std::string check_guard_zone(std::span<const std::byte> zone, const LaunchArgument& argument,
                             const std::string& kernel) {
  const Changed changed = changes_of(zone, 0, argument.element_size);
  if (changed.elements == 0)
    return "";
  const std::size_t elements = argument.bytes.size() / argument.element_size;
  return fmt::format("kernel '{}' wrote {} past the end of '{}' ({} elements), first at index {}",
                     kernel, bytes_of(changed, argument), argument.name, elements,
                     elements + changed.first);
}

std::string check_zone_before(std::span<const std::byte> zone, const LaunchArgument& argument,
                              const std::string& kernel) {
  const std::size_t part = zone.size() % argument.element_size;
  const Changed changed = changes_of(zone, part, argument.element_size);
  if (changed.elements == 0)
    return "";
  return fmt::format(
      "kernel '{}' wrote {} in front of '{}' ({} elements), the nearest at index -{}", kernel,
      bytes_of(changed, argument), argument.name, argument.bytes.size() / argument.element_size,
      (zone.size() - part) / argument.element_size - changed.last);
}

} // namespace gputest::runtime
