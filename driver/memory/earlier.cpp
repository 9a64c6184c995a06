// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/memory/earlier.h"

#include "driver/command_error.h"
#include "gputest/error.h"
#include "ir/error.h"
#include "model/files.h"
#include "process/command.h"

#include <fmt/format.h>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// Returns the text of a file in a commit, byte by byte.
std::string text_at(const fs::path& file, const std::string& commit) {
  const fs::path folder = fs::absolute(file).parent_path();
  const auto git = [&](const std::vector<std::string>& words) {
    std::vector<std::string> command{"/usr/bin/env", "git", "-C", folder.string()};
    command.insert(command.end(), words.begin(), words.end());
    return process::run_command(command);
  };
  const auto refuse = [&](const std::string& why) {
    throw CommandError(fmt::format("error: --not-slower-than {}: {}", commit, why));
  };
  if (commit.empty() || commit.starts_with('-') ||
      git({"rev-parse", "--verify", "--quiet", commit + "^{commit}"}).exit_code != 0)
    refuse(fmt::format("Git has no such commit, branch or tag in {}", folder.string()));
  const process::CommandResult shown =
      git({"show", fmt::format("{}:./{}", commit, file.filename().string())});
  if (shown.exit_code != 0)
    refuse(fmt::format("it does not have {}", file.string()));
  return shown.output;
}

// Throws with the commit in front.
template <typename Makes> auto at_commit(const std::string& commit, const Makes& makes) {
  const auto refuse = [&](const std::exception& error) {
    return CommandError(
        fmt::format("error: --not-slower-than {}: the kernel of then: {}", commit, error.what()));
  };
  try {
    return makes();
  } catch (const UsageError& error) {
    throw refuse(error);
  } catch (const ir::SourceError& error) {
    throw refuse(error);
  }
}

} // namespace

EarlierKernel::EarlierKernel(frontend::SourceOptions source, const std::string& kernel,
                             std::string commit)
    : commit_(std::move(commit)) {
  const fs::path file = source.file;
  const fs::path earlier = folder_.path() / file.filename();
  model::write_atomically(earlier, text_at(file, commit_));
  source.include_directories.insert(source.include_directories.begin(),
                                    fs::absolute(file).parent_path().string());
  source.file = earlier.string();
  source.source_root.clear();
  kernel_ = at_commit(commit_, [&] { return memory::kernel_of(source, kernel); });
  tracer_ = at_commit(
      commit_, [&] { return std::make_unique<memory::Tracer>(kernel_.source, kernel_.name()); });
}

std::vector<memory::NamedLaunch>
EarlierKernel::launches(const std::vector<fs::path>& files,
                        const memory::LaunchDefaults& defaults) const {
  return at_commit(commit_, [&] { return memory::launches_of(kernel_, files, defaults); });
}

} // namespace gputest::driver
