// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guard zones: kGuardBytes behind each buffer, filled with a pattern. They show when a kernel
// writes up to that many bytes past the buffer's end.
#pragma once

#include "runtime/cases/argument.h"

#include <span>
#include <string>

namespace gputest::runtime {

constexpr std::size_t kGuardBytes = 4096;

// Returns the content of an untouched guard zone.
Bytes guard_zone();

// Returns "kernel 'x' wrote 8 bytes past the end of 'out' (64 elements), …", or nothing if the
// guard zone is untouched. Bytes are those of whole elements.
std::string check_guard_zone(std::span<const std::byte> zone, const LaunchArgument& argument,
                             const std::string& kernel);

// As above, for a zone in front of the buffer.
std::string check_zone_before(std::span<const std::byte> zone, const LaunchArgument& argument,
                              const std::string& kernel);

} // namespace gputest::runtime
