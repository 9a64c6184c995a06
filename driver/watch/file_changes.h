// Files below a folder that somebody saves, by inotify(7).
#pragma once

#include "model/end_signals.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace gputest::driver {

class FileChanges {
public:
  // Watches `folder` and all below it, and the files and folders to which links there lead (no
  // folders in these), but no build folder and nothing that is_left_over(). Throws CommandError.
  explicit FileChanges(const std::filesystem::path& folder);
  FileChanges(const FileChanges&) = delete;
  FileChanges& operator=(const FileChanges&) = delete;
  ~FileChanges();

  // The files that were written, renamed or removed: waits for one of them, and then until nothing
  // has happened for `quiet` milliseconds, because tools that save many files at once are one
  // change. What editors leave on the way does not count. What happened since the last call comes
  // at once. Where more happens than the system keeps, the files that changed in that time are
  // found by their times. Throws Ended on a signal.
  std::set<std::filesystem::path> next(const model::EndSignals& signals, int quiet = 300);

private:
  struct Folder {
    std::filesystem::path path;
    bool below = false;           // the root: its folders count, too
    bool whole = false;           // all files in it
    std::set<std::string> linked; // else those to which links lead
  };
  int watch(const std::filesystem::path& folder);
  void add(const std::filesystem::path& folder);
  void add_link(const std::filesystem::path& link);
  void find_lost(std::set<std::filesystem::path>& changed);
  std::set<std::filesystem::path> read();

  int descriptor_ = -1;
  std::filesystem::path root_;
  std::map<int, Folder> folders_; // by inotify's number, of which each folder has one
  std::int64_t seen_until_ = 0;   // whatever happened before this time was read
};

} // namespace gputest::driver
