#include "driver/watch/file_changes.h"

#include "driver/command_error.h"
#include "driver/watch/steps.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kEvents =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR;

bool is_ignored(const std::string& name) { // backups and swap files of editors, and what is hidden
  return name.empty() || name.starts_with('.') || name.starts_with('#') || name.ends_with('~') ||
         name.ends_with(".tmp") || name == "4913" || name == "__pycache__";
}

} // namespace

FileChanges::FileChanges(const fs::path& folder)
    : descriptor_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
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

void FileChanges::add(const fs::path& folder) {
  const int number = ::inotify_add_watch(descriptor_, folder.c_str(), kEvents);
  if (number < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
    return; // it is gone again, or somebody else's
  if (number < 0)
    throw CommandError(fmt::format("{}: error: cannot be watched: {}{}", folder.string(),
                                   std::strerror(errno),
                                   errno == ENOSPC ? "; raise fs.inotify.max_user_watches" : ""),
                       Internal);
  folders_[number] = folder;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (!entry.is_symlink(ignored) && entry.is_directory(ignored) &&
        !is_ignored(entry.path().filename().string()) &&
        !fs::exists(entry.path() / "CMakeCache.txt", ignored))
      add(entry.path());
}

std::set<fs::path> FileChanges::read() {
  std::set<fs::path> changed;
  std::error_code ignored;
  alignas(inotify_event) std::array<char, 1 << 16> bytes;
  ssize_t size = 0;
  while ((size = ::read(descriptor_, bytes.data(), bytes.size())) > 0)
    for (const char* at = bytes.data(); at < bytes.data() + size;) {
      inotify_event event{};
      std::memcpy(&event, at, sizeof event);
      const std::string name = event.len > 0 ? at + sizeof event : "";
      at += sizeof event + event.len;
      const auto folder = folders_.find(event.wd);
      if (folder == folders_.end())
        continue;
      const fs::path path = folder->second / name;
      if ((event.mask & IN_IGNORED) != 0)
        folders_.erase(folder);
      if (is_ignored(name))
        continue;
      if ((event.mask & IN_ISDIR) == 0) {
        if ((event.mask & IN_CREATE) == 0) // it is written, too, or it is a link
          changed.insert(path);
      } else if ((event.mask & (IN_CREATE | IN_MOVED_TO)) != 0 &&
                 !fs::exists(path / "CMakeCache.txt", ignored)) {
        add(path); // and what was in it before it was watched
        for (fs::recursive_directory_iterator entry(path, ignored), end; entry != end;
             entry.increment(ignored))
          if (entry->is_regular_file(ignored) && !is_ignored(entry->path().filename().string()))
            changed.insert(entry->path());
      }
    }
  return changed;
}

std::set<fs::path> FileChanges::next(const model::EndSignals& signals, int quiet) {
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
