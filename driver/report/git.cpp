#include "driver/report/git.h"

#include "model/files.h"
#include "model/scratch_folder.h"
#include "program/child.h"

#include <stdexcept>
#include <vector>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

// What it prints, without the end of the line. Empty where it fails.
std::string git(const fs::path& folder, const std::vector<std::string>& words) {
  const model::ScratchFolder scratch("gputest-git");
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

} // namespace

std::string commit_of(const fs::path& folder) {
  return git(folder, {"describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"});
}

std::string commit_named(const fs::path& folder, const std::string& name) {
  if (name.empty() || name.starts_with('-'))
    return "";
  return git(folder, {"rev-parse", "--verify", "--quiet", name + "^{commit}"});
}

} // namespace gputest::driver
