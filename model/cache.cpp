// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/cache.h"

#include "model/files.h"
#include "model/sources.h"
#include "model/whole_number.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <system_error>
#include <utility>

namespace gputest::model {
namespace {

namespace fs = std::filesystem;
using Time = fs::file_time_type;

constexpr const char* kSize = "GPUTEST_CACHE_SIZE";
constexpr std::uint64_t kUsualMebibytes = 1024;
constexpr WholeRange kMebibytes{0, std::uint64_t{1} << 30};
constexpr std::uintmax_t kSmall = 4096;
constexpr std::chrono::seconds kBetweenLooks{60}, kInUse{120};

std::uint64_t wanted_bytes() {
  const char* const text = std::getenv(kSize);
  std::uint64_t mebibytes = kUsualMebibytes;
  if (text && *text) {
    if (const auto given = whole_number(text, kMebibytes)) {
      mebibytes = *given;
    } else {
      static std::once_flag once;
      std::call_once(once, [&] {
        std::fprintf(stderr, "warning: %s; the cache keeps to %llu MiB\n",
                     no_whole_number(kSize, text, kMebibytes).c_str(),
                     static_cast<unsigned long long>(kUsualMebibytes));
      });
    }
  }
  return mebibytes << 20;
}

struct KeptFile {
  fs::path file;
  std::uintmax_t bytes;
  Time used;
};

std::vector<KeptFile> large_files(const fs::path& cache) {
  std::vector<KeptFile> files;
  for (const char* const folder : {kCompiledKernels, kKeptHeaders, kCompiledTexts}) {
    std::error_code error;
    for (fs::directory_iterator at(cache / folder, error), end; !error && at != end;
         at.increment(error)) {
      std::error_code gone; // another process may remove a file at any time
      const std::uintmax_t bytes = at->is_regular_file(gone) ? at->file_size(gone) : 0;
      const Time used = at->last_write_time(gone);
      if (!gone && bytes > kSmall)
        files.push_back({at->path(), bytes, used});
    }
  }
  return files;
}

// Returns whether no process has looked for a while, and notes that this one does.
bool is_time(const fs::path& cache) {
  const fs::path looked = cache / "bounded";
  std::error_code error;
  const Time last = fs::last_write_time(looked, error);
  if (!error && Time::clock::now() - last < kBetweenLooks)
    return false;
  std::ofstream(looked, std::ios::app);
  mark_used(looked);
  return true;
}

} // namespace

fs::path cache_folder() {
  const auto named = [](const char* variable) {
    const char* const folder = std::getenv(variable);
    return folder ? fs::path(folder) : fs::path();
  };
  if (const fs::path chosen = named("GPUTEST_CACHE_DIR"); !chosen.empty())
    return chosen;
  if (const fs::path caches = named("XDG_CACHE_HOME"); !caches.empty())
    return caches / "gputest";
  const fs::path home = named("HOME");
  return home.empty() ? fs::path() : home / ".cache" / "gputest";
}

void mark_used(const fs::path& file) {
  std::error_code ignored;
  fs::last_write_time(file, Time::clock::now(), ignored);
}

void bound_cache() {
  const fs::path cache = cache_folder();
  const std::uint64_t most = wanted_bytes();
  if (cache.empty() || most == 0 || !is_time(cache))
    return;
  std::vector<KeptFile> files = large_files(cache);
  std::uintmax_t bytes = 0;
  for (const KeptFile& kept : files)
    bytes += kept.bytes;
  if (bytes <= most)
    return;
  std::ranges::sort(files, {}, &KeptFile::used);
  const Time still_used = Time::clock::now() - kInUse;
  for (const KeptFile& kept : files) {
    if (bytes <= most / 5 * 4 || kept.used > still_used)
      return;
    std::error_code ignored;
    fs::remove(kept.file, ignored);
    bytes -= kept.bytes;
  }
}

MadeOfFiles::MadeOfFiles(const fs::path& folder, std::string key, std::string ending)
    : key_(std::move(key)), stem_((folder / digest_of(key_)).string()), ending_(std::move(ending)) {
}

// The list has the key and a name in each line.
fs::path MadeOfFiles::file_of(const std::string& list) const {
  std::string states;
  std::istringstream names(list.substr(key_.size() + 1));
  for (std::string name; std::getline(names, name);)
    states += name + '\t' + state_of(name) + '\n';
  return stem_ + "-" + digest_of(states) + ending_;
}

std::optional<fs::path> MadeOfFiles::find() const {
  const fs::path list_file = beside(".files");
  const auto list = read_text(list_file);
  if (!list || !list->starts_with(key_ + "\n"))
    return std::nullopt;
  fs::path file = file_of(*list);
  if (!fs::exists(file))
    return std::nullopt;
  mark_used(file);
  mark_used(list_file); // it goes no sooner than what it finds
  return file;
}

std::optional<fs::path> MadeOfFiles::keep(const fs::path& made,
                                          const std::vector<std::string>& names, Time begin) const {
  std::error_code error;
  const auto is_as_read = [&](const std::string& name) {
    const Time changed = fs::last_write_time(name, error);
    return !error && changed <= begin;
  };
  if (std::ranges::all_of(names, is_as_read)) {
    std::string list = key_ + "\n";
    for (const std::string& name : names)
      list += name + "\n";
    fs::path file = file_of(list);
    try {
      write_atomically(beside(".files"), list);
      fs::rename(made, file, error);
      if (!error) {
        bound_cache();
        return file;
      }
    } catch (const WriteError&) { // as where it cannot be moved
    }
  }
  fs::remove(made, error);
  return std::nullopt;
}

} // namespace gputest::model
