// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/cache.h"

#include "model/whole_number.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

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
  for (const char* const folder : {kCompiledKernels, kKeptHeaders}) {
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

} // namespace gputest::model
