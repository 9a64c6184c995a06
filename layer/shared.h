// What the functions have that take the place of OpenCL's: these have no other way to their data.
#pragma once

#include "layer/objects.h"
#include "layer/reads.h"
#include "layer/services.h"

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

namespace gputest::layer {

struct Shared {
  explicit Shared(std::unique_ptr<Services> given)
      : services(std::move(given)), objects(*services) {
    const Settings& settings = services->settings;
    if (settings.reads || settings.measure == Measure::Mutants ||
        settings.measure == Measure::Schedules)
      reads.emplace(*services);
  }

  std::unique_ptr<Services> services;
  Objects objects;
  std::optional<Reads> reads;
  pid_t process = ::getpid(); // that the layer was loaded into
};
// Made once in a process, and never destroyed: programs call OpenCL from destructors of static
// objects.
void make_shared(std::unique_ptr<Services> services);
// Precondition: it was made.
Shared& shared();

// The program must not notice what goes wrong here; its report must.
template <typename Work> void quietly(Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const std::exception& error) {
    try {
      shared().services->log.write({{"event", "not_measured"}, {"reason", error.what()}});
    } catch (const std::exception&) { // no memory: nothing can be said
    }
  }
}

// Kernels have come to an end as far as the program knows: what they recorded, and what was read
// back meanwhile, is collected.
void collect();

} // namespace gputest::layer
