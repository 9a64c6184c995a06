// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/since.h"

#include "gputest/error.h"
#include "model/mutation/changed_parts.h"
#include "process/command.h"

#include <fmt/format.h>
#include <limits>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

process::CommandResult git(const fs::path& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"/usr/bin/env", "git", "-C", folder.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return process::run_command(command);
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Returns the commit's hash, because a name that users give may look like an option.
std::string commit_of(const std::string& ref, const fs::path& folder) {
  const process::CommandResult tree = git(folder, {"rev-parse", "--is-inside-work-tree"});
  if (tree.exit_code == 127)
    throw UsageError("--since needs git, which cannot be run");
  if (tree.exit_code != 0)
    throw UsageError(fmt::format("--since '{}': {} is in no git work tree; leave --since out ({})",
                                 ref, folder.string(), first_line(tree.output)));
  const process::CommandResult commit =
      git(folder, {"rev-parse", "--verify", "--quiet", "--end-of-options", ref + "^{commit}"});
  if (commit.exit_code != 0)
    throw UsageError(fmt::format("--since '{}': the git work tree of {} has no such commit, branch "
                                 "or tag",
                                 ref, folder.string()));
  return first_line(commit.output);
}

} // namespace

ChangedLines changed_lines(const std::map<std::string, fs::path>& files, const std::string& ref) {
  ChangedLines changed;
  std::map<fs::path, std::string> commits; // by folder: included files may be in other work trees
  for (const auto& [name, path] : files) {
    const fs::path folder = path.parent_path();
    if (!commits.contains(folder))
      commits[folder] = commit_of(ref, folder);
    if (git(folder, {"ls-files", "--error-unmatch", "--", path.string()}).exit_code != 0) {
      changed[name] = {{1, std::numeric_limits<unsigned>::max()}};
      continue;
    }
    const process::CommandResult diff = git(folder, {"diff", "-U0", "--no-color", "--no-ext-diff",
                                                     commits[folder], "--", path.string()});
    if (diff.exit_code != 0)
      throw UsageError(
          fmt::format("--since '{}': git diff fails: {}", ref, first_line(diff.output)));
    changed[name] = model::changed_parts(diff.output);
  }
  return changed;
}

} // namespace gputest::runtime
