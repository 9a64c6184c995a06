// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/git.h"

#include "driver/source_names.h"
#include "model/files.h"
#include "model/mutation/changed_parts.h"
#include "process/scratch_folder.h"
#include "program/child.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

// Returns what Git prints, without the end of the line; empty: it failed.
std::string git(const fs::path& folder, const std::vector<std::string>& words) {
  const process::ScratchFolder scratch("gputest-git");
  program::ChildSettings settings{.command = {"git", "-C", folder.string()},
                                  .environment = {},
                                  .timeout = 10,
                                  .output = scratch.path() / "output"};
  settings.command.insert(settings.command.end(), words.begin(), words.end());
  std::string text;
  try {
    if (program::run_child(settings).succeeded())
      text = model::read_text(settings.output).value_or("");
  } catch (const std::runtime_error&) { // there is no Git
  }
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

// Returns whether people save the file, whose name is relative to `folder`. It is neither left over
// nor made by a build.
bool is_saved(const fs::path& folder, const fs::path& name) {
  fs::path above = folder;
  for (const fs::path& part : name) {
    if (is_left_over(part.string()) || is_build_folder(above / part))
      return false;
    above /= part;
  }
  return true;
}

} // namespace

std::string commit_of(const fs::path& folder) {
  std::string commit =
      git(folder, {"describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"});
  if (commit.empty() || commit.ends_with("-dirty"))
    return commit;
  // With zeros as separators, names are not quoted. A new folder has one entry for each file.
  std::istringstream untracked(git(folder, {"ls-files", "--others", "--exclude-standard", "-z"}));
  for (std::string name; std::getline(untracked, name, '\0');)
    if (is_saved(folder, name))
      return commit + "-dirty";
  return commit;
}

std::string commit_named(const fs::path& folder, const std::string& name) {
  if (name.empty() || name.starts_with('-'))
    return "";
  return git(folder, {"rev-parse", "--verify", "--quiet", name + "^{commit}"});
}

std::map<std::string, std::set<unsigned>> changed_lines(const fs::path& folder,
                                                        const std::string& commit) {
  std::map<std::string, std::set<unsigned>> changed;
  std::istringstream names(
      git(folder, {"diff", "--name-only", "-z", "--relative", "--diff-filter=d", commit, "--"}));
  for (std::string name; std::getline(names, name, '\0');) {
    const std::string diff = git(folder, {"diff", "-U0", "--no-color", "--no-ext-diff",
                                          "--relative", commit, "--", ":(literal)" + name});
    std::set<unsigned>& own = changed[name];
    for (const auto& [first, last] : model::changed_parts(diff))
      for (unsigned number = first; number <= last; ++number)
        own.insert(number);
  }
  std::istringstream untracked(git(folder, {"ls-files", "--others", "--exclude-standard", "-z"}));
  for (std::string name; std::getline(untracked, name, '\0');)
    if (const auto text = model::read_text(folder / name))
      for (unsigned number = 1; number <= std::ranges::count(*text, '\n') + 1; ++number)
        changed[name].insert(number);
  return changed;
}

} // namespace gputest::driver
