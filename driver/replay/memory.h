// A schedule of warps, from which `gputest memory` runs its case again.
#pragma once

#include <filesystem>

namespace gputest::driver {

// Whether the file is one of these: docs/formats.md, "Schedules of warps".
bool is_memory_replay(const std::filesystem::path& file);

// Becomes `gputest memory --replay`, in the folder in which the file was written. Throws
// CommandError.
[[noreturn]] void replay_memory(const std::filesystem::path& file);

} // namespace gputest::driver
