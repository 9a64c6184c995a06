// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache: files that are kept from run to run and can be made again. Any number of processes
// share it.
#pragma once

#include <filesystem>

namespace gputest::model {

// Returns the folder for what can be made again: $GPUTEST_CACHE_DIR, else gputest in
// $XDG_CACHE_HOME or ~/.cache. Empty where the environment names none. It need not exist.
std::filesystem::path cache_folder();

// Marks a file of the cache as used: its time of change becomes that of now.
void mark_used(const std::filesystem::path& file);

// Removes the files of the cache that have not been used for the longest time, until the rest is a
// fifth below $GPUTEST_CACHE_SIZE MiB (default: 1024; with 0 nothing is removed). Whoever adds a
// large file calls this. It looks at the files once a minute at most, whatever process calls. It
// leaves alone what was used in the last two minutes, small files, and folders whose files depend
// on each other: only compiled kernels and kept headers are large.
void bound_cache();

} // namespace gputest::model
