#include "runtime/cases/guard_zone.h"

#include <fmt/format.h>

namespace gputest::runtime {
namespace {

// Returns the pattern's byte at `at`. Neighbouring bytes differ, and none is a likely value.
std::byte guard(std::size_t at) {
  return static_cast<std::byte>(0xA5 ^ (at * 37 & 0xff));
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
  std::size_t changed = 0, first = 0;
  for (std::size_t i = zone.size(); i-- > 0;)
    if (zone[i] != guard(i)) {
      ++changed;
      first = i;
    }
  if (changed == 0)
    return "";
  const std::size_t elements = argument.bytes.size() / argument.element_size;
  return fmt::format(
      "kernel '{}' wrote {} byte{} past the end of '{}' ({} elements), first at index {}", kernel,
      changed, changed == 1 ? "" : "s", argument.name, elements,
      elements + first / argument.element_size);
}

std::string check_zone_before(std::span<const std::byte> zone, const LaunchArgument& argument,
                              const std::string& kernel) {
  std::size_t changed = 0, nearest = 0;
  for (std::size_t i = 0; i < zone.size(); ++i)
    if (zone[i] != guard(i)) {
      ++changed;
      nearest = i;
    }
  if (changed == 0)
    return "";
  return fmt::format("kernel '{}' wrote {} byte{} in front of '{}' ({} elements), the nearest at "
                     "index -{}",
                     kernel, changed, changed == 1 ? "" : "s", argument.name,
                     argument.bytes.size() / argument.element_size,
                     (zone.size() - nearest - 1) / argument.element_size + 1);
}

} // namespace gputest::runtime
