// What everything in the layer shares.
#pragma once

#include "layer/capture.h"
#include "layer/run_log.h"
#include "layer/settings.h"
#include "layer/source_names.h"

#include <atomic>
#include <optional>
#include <utility>

namespace gputest::layer {

struct Services {
  explicit Services(Settings given)
      : settings(std::move(given)), log(settings.run_folder), names(settings.kernel_files) {
    if (settings.measure == Measure::Launches)
      capture.emplace(log, settings);
  }

  Settings settings;
  RunLog log;
  SourceNames names;
  std::optional<Capture> capture;
  std::atomic<unsigned> programs = 0; // numbers of programs in the log
};

} // namespace gputest::layer
