// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays a schedule of warps with `gputest memory`.
#pragma once

#include <filesystem>

namespace gputest::driver {

// Returns whether the file is a schedule of warps: docs/reference/formats.md, "Schedules of warps".
bool is_memory_replay(const std::filesystem::path& file);

// Replaces this process by `gputest memory --replay`, in the folder in which the file was written.
// Throws CommandError.
[[noreturn]] void replay_memory(const std::filesystem::path& file);

} // namespace gputest::driver
