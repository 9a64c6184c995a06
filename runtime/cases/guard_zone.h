// What lies behind each buffer: kGuardBytes filled with a pattern, which tell when a kernel writes
// up to that many bytes past the buffer's end.
#pragma once

#include "runtime/cases/argument.h"

#include <span>
#include <string>

namespace gputest::runtime {

constexpr std::size_t kGuardBytes = 4096;

// The content of an untouched guard zone.
Bytes guard_zone();

// "kernel 'x' wrote 3 bytes past the end of 'out' (64 elements), …"; empty if the guard zone is as
// it was.
std::string check_guard_zone(std::span<const std::byte> zone, const LaunchArgument& argument,
                             const std::string& kernel);

// The same of a zone that lies in front of the buffer.
std::string check_zone_before(std::span<const std::byte> zone, const LaunchArgument& argument,
                              const std::string& kernel);

} // namespace gputest::runtime
