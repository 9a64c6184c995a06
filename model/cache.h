// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache: files that are kept from run to run and can be made again. Any number of processes
// share it.
#pragma once

#include <filesystem>

namespace gputest::model {

// Returns the folder for what can be made again: $GPUTEST_CACHE_DIR, else gputest in
// $XDG_CACHE_HOME or ~/.cache. Empty where the environment names none. It need not exist.
std::filesystem::path cache_folder();

// Folders of the cache whose files are large, and do not depend on each other.
inline constexpr const char *kCompiledKernels = "simulator", *kKeptHeaders = "cuda-headers";

// Marks a file of the cache as used: its time of change becomes that of now.
void mark_used(const std::filesystem::path& file);

// Removes the files of these folders that have not been used for the longest time, until the rest
// is a fifth below $GPUTEST_CACHE_SIZE MiB (default: 1024; with 0 nothing is removed). Whoever adds
// a large file calls this. It looks at the files once a minute at most, whatever process calls. It
// leaves alone small files, and what was used in the last two minutes.
void bound_cache();

} // namespace gputest::model
