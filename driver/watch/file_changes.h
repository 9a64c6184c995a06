// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches the files that are saved below a folder, with inotify(7).
#pragma once

#include "process/end_signals.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace gputest::driver {

class FileChanges {
public:
  // Watches `folder` and all below it. Also watches the files and folders to which links there
  // lead, without folders in these. Leaves out build folders and what is_left_over(). Throws
  // CommandError.
  explicit FileChanges(const std::filesystem::path& folder);
  FileChanges(const FileChanges&) = delete;
  FileChanges& operator=(const FileChanges&) = delete;
  ~FileChanges();

  // Waits until a file is written, renamed or removed, and then until nothing has happened for
  // `quiet` milliseconds, because tools that save many files at once make one change. Returns the
  // files. Changes since the last call are returned at once. Files that editors leave behind do not
  // count. If more happens than the system records, the changed files are found by their times.
  // Throws Ended on a signal.
  std::set<std::filesystem::path> next(const process::EndSignals& signals, int quiet = 300);

private:
  struct Folder {
    std::filesystem::path path;
    bool below = false;           // the root: its folders count as well
    bool whole = false;           // all files in it
    std::set<std::string> linked; // otherwise the files to which links lead
  };
  int watch(const std::filesystem::path& folder);
  void add(const std::filesystem::path& folder);
  void add_link(const std::filesystem::path& link);
  void find_lost(std::set<std::filesystem::path>& changed);
  std::set<std::filesystem::path> read();

  int descriptor_ = -1;
  std::filesystem::path root_;
  std::map<int, Folder> folders_; // by the folder's number in inotify
  std::int64_t seen_until_ = 0;   // all that happened before this time has been read
};

} // namespace gputest::driver
