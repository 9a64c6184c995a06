// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The settings of the layer in this process. The environment variable GPUTEST_RUN names the run
// folder that `gputest run` or `gputest capture` made. The settings are in its settings.json
// (docs/reference/formats.md, "The run folder").
#pragma once

#include "layer/instrumentation/measures.h"
#include "runtime/variants/run_settings.h"

#include <filesystem>
#include <optional>
#include <string>

namespace gputest::layer {

struct Settings : runtime::RunSettings {
  const Measure* measure_row = nullptr; // of RunSettings::measure
  std::filesystem::path run_folder{};   // absolute; what processes record goes there
  std::string stem{}, mutant{}; // from the environment variable GPUTEST_MUTANT, "<stem>/<id>"
};

// Reads the settings. nullopt: GPUTEST_RUN is not set, or names a folder without a readable
// settings.json. That is no error here, because the command that starts the program has checked it.
// For settings of another format, and for a measure that the layer does not know, prints to
// standard error that the command is of another version.
std::optional<Settings> settings_from_environment();

} // namespace gputest::layer
