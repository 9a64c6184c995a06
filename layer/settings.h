// What the layer is to do in this process: the run folder that `gputest run` or `gputest capture`
// made, named by the environment variable GPUTEST_RUN, and the settings.json in it (docs/layer.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::layer {

struct Settings {
  std::filesystem::path run_folder;  // absolute; what processes record goes there
  std::filesystem::path cache;       // variants, kept from run to run
  std::filesystem::path driver;      // the gputest command
  std::filesystem::path source_root; // files below it are named relative to it
  // Files that programs may have read their source from: those that have are named in reports.
  std::vector<std::filesystem::path> kernel_files;
  bool only_kernel_files = false; // programs that hold none of these are left alone
};

// nullopt: GPUTEST_RUN is not set, or names a folder without a readable settings.json. Nobody is to
// hear of that here: the command that starts the program has checked it.
std::optional<Settings> settings_from_environment();

} // namespace gputest::layer
