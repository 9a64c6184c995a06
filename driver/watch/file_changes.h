// Files below a folder that somebody saves, by inotify(7).
#pragma once

#include "model/end_signals.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::driver {

class FileChanges {
public:
  // Watches `folder` and all below it, but no build folder (one with a CMakeCache.txt), none that
  // is hidden and none of Python's __pycache__. Throws CommandError.
  explicit FileChanges(const std::filesystem::path& folder);
  FileChanges(const FileChanges&) = delete;
  FileChanges& operator=(const FileChanges&) = delete;
  ~FileChanges();

  // The files that were written, renamed or removed: waits for one of them, and then until nothing
  // has happened for `quiet` milliseconds, because tools that save many files at once are one
  // change. What editors leave on the way does not count. What happened since the last call comes
  // at once. Throws Ended on a signal.
  std::set<std::filesystem::path> next(const model::EndSignals& signals, int quiet = 300);

private:
  void add(const std::filesystem::path& folder);
  std::set<std::filesystem::path> read();

  int descriptor_ = -1;
  std::map<int, std::filesystem::path> folders_; // by inotify's number
};

} // namespace gputest::driver
