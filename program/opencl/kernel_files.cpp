// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/kernel_files.h"

#include "model/settings.h"

#include <fmt/format.h>
#include <glob.h>
#include <set>
#include <utility>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

constexpr int kSearchDepth = 4;
constexpr std::size_t kSearchFiles = 2000, kSearchFolders = 2000;

bool is_kernel_file(const fs::path& file) {
  static const std::set<std::string> endings{".cl", ".clh", ".ocl", ".opencl", ".clc"};
  return endings.contains(file.extension().string());
}

// Returns whether the file is a host program whose literals may be kernels.
bool is_host_file(const fs::path& file) {
  static const std::set<std::string> endings{".py",  ".c",  ".cc",  ".cpp", ".cxx", ".h",
                                             ".hpp", ".hh", ".hxx", ".inc", ".ipp", ".inl"};
  return endings.contains(file.extension().string());
}

struct Files {
  std::set<fs::path> kernels, hosts;
};

// Returns whether the folder is gputest's cache. Its copies are not the program's sources.
bool is_cache(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "variants", ignored) &&
         fs::is_directory(folder / "sources", ignored);
}

// Returns whether the folder is hidden, or one in which build systems and caches keep their files.
bool holds_no_sources(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "CMakeFiles" || name == "node_modules" ||
         name == "__pycache__" || is_cache(folder);
}

// Adds files below `folder`, the nearest first, unless there are too many.
void search(const fs::path& folder, Files& found) {
  std::vector<fs::path> level{fs::canonical(folder)}, below;
  std::size_t searched = 0;
  for (int depth = 0; depth <= kSearchDepth; ++depth, level = std::exchange(below, {}))
    for (const fs::path& inside : level) {
      if (found.kernels.size() >= kSearchFiles || ++searched > kSearchFolders)
        return;
      std::error_code error;
      fs::directory_iterator entry(inside, error);
      for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        const fs::path& path = entry->path();
        if (entry->is_directory(ignored)) {
          if (!entry->is_symlink(ignored) && !holds_no_sources(path))
            below.push_back(path);
          continue;
        }
        const bool is_kernel = is_kernel_file(path);
        if ((is_kernel || (found.hosts.size() < kSearchFiles && is_host_file(path))) &&
            entry->is_regular_file(ignored))
          (is_kernel ? found.kernels : found.hosts)
              .insert(entry->is_symlink(ignored) ? fs::canonical(path, ignored) : path);
      }
    }
}

Files named_files(const std::vector<std::string>& patterns) {
  Files files;
  for (const std::string& pattern : patterns) {
    glob_t matches{};
    const int error = ::glob(pattern.c_str(), 0, nullptr, &matches);
    for (std::size_t i = 0; error == 0 && i < matches.gl_pathc; ++i)
      if (const fs::path file = fs::canonical(matches.gl_pathv[i]);
          files.kernels.insert(file).second && is_host_file(file))
        files.hosts.insert(file); // its literals count, too
    ::globfree(&matches);
    if (error != 0)
      throw model::SettingError(fmt::format("--kernels {}: there is no such file", pattern));
  }
  for (const fs::path& file : files.kernels)
    if (!fs::is_regular_file(file))
      throw model::SettingError(fmt::format("--kernels takes files, and not {}", file.string()));
  return files;
}

bool holds_all_kinds(const fs::path& folder) {
  return folder.string().starts_with("/usr/") || folder.string().starts_with("/bin");
}

void set_files(runtime::RunSettings& settings, const Files& files) {
  settings.kernel_files.assign(files.kernels.begin(), files.kernels.end());
  settings.host_files.assign(files.hosts.begin(), files.hosts.end());
}

} // namespace

void set_named_files(runtime::RunSettings& settings, const std::vector<std::string>& patterns) {
  set_files(settings, named_files(patterns));
  settings.only_kernel_files = true;
}

void set_likely_files(runtime::RunSettings& settings, const ProgramTask& task) {
  Files files;
  std::set<fs::path> folders{fs::current_path()};
  for (const fs::path& file : {task.executable, task.script})
    if (!file.empty() && !holds_all_kinds(file.parent_path()))
      folders.insert(file.parent_path());
  for (const fs::path& folder : folders)
    search(folder, files);
  if (!task.script.empty())
    files.hosts.insert(fs::weakly_canonical(task.script));
  set_files(settings, files);
}

} // namespace gputest::program
