// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/instrumentation/settings.h"

#include <cstdlib>
#include <fmt/format.h>

namespace gputest::layer {

std::optional<Settings> settings_from_environment() {
  const char* folder = std::getenv("GPUTEST_RUN");
  if (!folder || !*folder)
    return std::nullopt;
  try {
    const std::filesystem::path run_folder = std::filesystem::absolute(folder);
    if (!std::filesystem::exists(run_folder / "settings.json"))
      return std::nullopt;
    Settings settings{runtime::read_run_settings(run_folder)};
    settings.run_folder = run_folder;
    settings.measure_row = measure_named(settings.measure);
    if (!settings.measure_row) {
      fmt::print(stderr,
                 "{}: error: the layer knows no measure '{}': use the gputest command that it "
                 "came with\n",
                 (run_folder / "settings.json").string(), settings.measure);
      return std::nullopt;
    }
    const char* mutant = std::getenv("GPUTEST_MUTANT");
    const std::string chosen = mutant ? mutant : "";
    const std::size_t slash = chosen.rfind('/');
    if (slash != std::string::npos) {
      settings.stem = chosen.substr(0, slash);
      settings.mutant = chosen.substr(slash + 1);
    }
    return settings;
  } catch (const model::FormatError& error) {
    fmt::print(stderr, "{}: use the gputest command that the layer came with\n", error.what());
    return std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

} // namespace gputest::layer
