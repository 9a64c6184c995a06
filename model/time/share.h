// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides a time limit among the tests of a target, such as `mutation`. The target's script writes
// the file that GPUTEST_TIME_SHARE names: "<end, in seconds since 1970> <number of tests> <number
// that run at the same time>". Each test adds a line when it begins.
#pragma once

#include <filesystem>
#include <optional>

namespace gputest::model {

// Returns the seconds that this test may take: what is left, divided by the tests that have not
// begun. So a test that takes less leaves its time to others. nullopt: no file is named, or it
// cannot be read. Adds this test's line. At least a millisecond.
std::optional<double> shared_seconds();

// The same, of a file, at a time in seconds since 1970.
std::optional<double> shared_seconds(const std::filesystem::path& file, double now);

} // namespace gputest::model
