// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache: files that are kept from run to run and can be made again. Any number of processes
// share it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::model {

// Returns the folder for what can be made again: $GPUTEST_CACHE_DIR, else gputest in
// $XDG_CACHE_HOME or ~/.cache. Empty where the environment names none. It need not exist.
std::filesystem::path cache_folder();

// Folders of the cache whose files are large, and do not depend on each other.
inline constexpr const char *kCompiledKernels = "simulator", *kKeptHeaders = "cuda-headers",
                            *kCompiledTexts = "nvrtc";

// Marks a file of the cache as used: its time of change becomes that of now.
void mark_used(const std::filesystem::path& file);

// Removes the files of these folders that have not been used for the longest time, until the rest
// is a fifth below $GPUTEST_CACHE_SIZE MiB (default: 1024; with 0 nothing is removed). Whoever adds
// a large file calls this. It looks at the files once a minute at most, whatever process calls. It
// leaves alone small files, and what was used in the last two minutes.
void bound_cache();

// What a tool made of files: one file of the cache for each state that those have had. So nothing
// takes the place of a file that another process reads.
class MadeOfFiles {
public:
  // `folder`: of the cache. `key`: all that decides what is made, but for the content of the files;
  // it has no line breaks. `ending`: of the names.
  MadeOfFiles(const std::filesystem::path& folder, std::string key, std::string ending);

  // Returns what was made of the files as they are now, and marks it as used. nullopt: it has to be
  // made.
  std::optional<std::filesystem::path> find() const;

  // Moves `made`, which is in the same folder, to where find() finds it, and returns its new place.
  // `names`: of the files that it was made of, since `begin`. nullopt where one of them has changed
  // meanwhile, and where `made` cannot be moved; then it is removed.
  std::optional<std::filesystem::path> keep(const std::filesystem::path& made,
                                            const std::vector<std::string>& names,
                                            std::filesystem::file_time_type begin) const;

  // A file in the folder that no other key has.
  std::filesystem::path beside(const std::string& ending) const { return stem_ + ending; }

private:
  std::filesystem::path file_of(const std::string& list) const;

  std::string key_, stem_, ending_;
};

} // namespace gputest::model
