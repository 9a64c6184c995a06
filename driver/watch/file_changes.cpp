// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/watch/file_changes.h"

#include "driver/command_error.h"
#include "driver/source_names.h"
#include "driver/watch/steps.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kEvents =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR;

// Returns the time by the system's clock for times of files, in seconds.
std::int64_t now() {
  return std::time(nullptr);
}

// Returns when the file's content, name or owner last changed; 0: it is gone.
std::int64_t changed_at(const fs::path& file) {
  struct stat status{};
  return ::stat(file.c_str(), &status) == 0 ? status.st_ctim.tv_sec : 0;
}

} // namespace

FileChanges::FileChanges(const fs::path& folder)
    : descriptor_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)), root_(folder), seen_until_(now()) {
  if (descriptor_ < 0)
    throw CommandError(fmt::format("error: files cannot be watched: {}", std::strerror(errno)),
                       Internal);
  try {
    add(folder);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

FileChanges::~FileChanges() {
  ::close(descriptor_);
}

// Returns inotify's number of the folder; -1: it is gone again, or may not be read.
int FileChanges::watch(const fs::path& folder) {
  const int number = ::inotify_add_watch(descriptor_, folder.c_str(), kEvents);
  if (number < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES)
    throw CommandError(fmt::format("{}: error: cannot be watched: {}{}", folder.string(),
                                   std::strerror(errno),
                                   errno == ENOSPC ? "; raise fs.inotify.max_user_watches" : ""),
                       Internal);
  return number;
}

void FileChanges::add(const fs::path& folder) {
  const int number = watch(folder);
  if (number < 0)
    return;
  Folder& known = folders_[number];
  known.path = folder;
  known.below = known.whole = true;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (is_left_over(entry.path().filename().string()))
      continue;
    else if (entry.is_symlink(ignored))
      add_link(entry.path());
    else if (entry.is_directory(ignored) && !is_build_folder(entry.path()))
      add(entry.path());
}

void FileChanges::add_link(const fs::path& link) {
  std::error_code ignored;
  const fs::path target = fs::canonical(link, ignored);
  if (target.empty())
    return;
  const bool is_folder = fs::is_directory(target, ignored);
  if (is_folder && is_build_folder(target))
    return;
  const fs::path folder = is_folder ? target : target.parent_path();
  const int number = watch(folder);
  if (number < 0)
    return;
  Folder& known = folders_[number];
  if (!known.below)
    known.path = folder;
  if (is_folder)
    known.whole = true;
  else
    known.linked.insert(target.filename().string());
}

// Finds what changed while events were dropped. Removed files need not be found, because the build
// makes what needs them anew.
void FileChanges::find_lost(std::set<fs::path>& changed) {
  add(root_); // new folders as well
  std::error_code ignored;
  for (const auto& [number, folder] : folders_)
    for (const auto& entry : fs::directory_iterator(folder.path, ignored)) {
      const std::string name = entry.path().filename().string();
      if (!is_left_over(name) && entry.is_regular_file(ignored) &&
          (folder.whole || folder.linked.contains(name)) && changed_at(entry.path()) >= seen_until_)
        changed.insert(entry.path());
    }
}

std::set<fs::path> FileChanges::read() {
  std::set<fs::path> changed;
  std::error_code ignored;
  const std::int64_t begin = now();
  bool lost = false;
  alignas(inotify_event) std::array<char, 1 << 16> bytes;
  ssize_t size = 0;
  while ((size = ::read(descriptor_, bytes.data(), bytes.size())) > 0)
    for (const char* at = bytes.data(); at < bytes.data() + size;) {
      inotify_event event{};
      std::memcpy(&event, at, sizeof event);
      const std::string name = event.len > 0 ? at + sizeof event : "";
      at += sizeof event + event.len;
      lost = lost || (event.mask & IN_Q_OVERFLOW) != 0;
      const auto found = folders_.find(event.wd);
      if (found == folders_.end())
        continue;
      const Folder folder = found->second;
      if ((event.mask & IN_IGNORED) != 0)
        folders_.erase(found);
      if (is_left_over(name) || (!folder.whole && !folder.linked.contains(name)))
        continue;
      const fs::path path = folder.path / name;
      const bool is_link = fs::is_symlink(path, ignored);
      if ((event.mask & IN_CREATE) != 0 && is_link)
        add_link(path);
      if ((event.mask & IN_ISDIR) == 0) {
        // A new file is also written, which is another event.
        if ((event.mask & IN_CREATE) == 0 || is_link)
          changed.insert(path);
      } else if (folder.below && (event.mask & (IN_CREATE | IN_MOVED_TO)) != 0 &&
                 !is_build_folder(path)) {
        add(path); // and its content from before it was watched
        for (fs::recursive_directory_iterator entry(path, ignored), end; entry != end;
             entry.increment(ignored))
          if (entry->is_regular_file(ignored) && !is_left_over(entry->path().filename().string()))
            changed.insert(entry->path());
      }
    }
  if (lost)
    find_lost(changed);
  seen_until_ = begin;
  return changed;
}

std::set<fs::path> FileChanges::next(const process::EndSignals& signals, int quiet) {
  std::set<fs::path> changed = read();
  while (true) {
    std::array<pollfd, 2> waiting{{{descriptor_, POLLIN, 0}, {signals.descriptor(), POLLIN, 0}}};
    const int ready = ::poll(waiting.data(), waiting.size(), changed.empty() ? -1 : quiet);
    if (waiting[1].revents != 0) {
      signals.take();
      throw Ended();
    }
    if (ready == 0)
      return changed;
    changed.merge(read());
  }
}

} // namespace gputest::driver
