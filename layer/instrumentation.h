// What is measured, as one program on one device sees it: the text that runs in place of its
// kernels, and what each of their launches becomes.
#pragma once

#include "gputest/launch.h"
#include "layer/settings.h"
#include "model/sites.h"
#include "runtime/cases/bytes.h"
#include "runtime/machine/opencl/device.h"
#include "runtime/variants/instrument.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gputest::layer {

// A launch as the program asks for it.
struct LaunchRequest {
  const std::string& kernel; // entry
  const std::string& label;  // "<stem>.<kernel>"
  std::uint64_t number = 0;  // of the label's in this process, from 1
  Launch launch;
  std::size_t most_items = 0; // that a group of this kernel may have on the device
  // Bytes of each argument that points to memory, of others 0. Empty: has_sizes() did not ask.
  std::vector<std::uint64_t> sizes{};
};

// What launches of one key share.
struct LaunchPlan {
  runtime::Bytes state;         // that the buffer holds before the first of them
  std::vector<Launch> launches; // in its place, one after the other; empty: as it is
  bool is_final = false;        // where the device refuses them, the program is told so
  nlohmann::json event = nlohmann::json::object(); // members of the event `state`
};

// `launch`, as the event `state` has it. A local size of 0: the device chooses.
nlohmann::json sizes_json(const Launch& launch);

// To a key.
void add_sizes(const Launch& launch, std::vector<std::uint64_t>& key);

class Instrumentation {
public:
  Instrumentation() = default;
  Instrumentation(const Instrumentation&) = delete;
  Instrumentation& operator=(const Instrumentation&) = delete;
  virtual ~Instrumentation() = default;

  virtual runtime::Variant variant() const = 0;
  // What gputest wrote. Returns the macros it was assumed for.
  virtual const std::vector<model::DeviceMacro>& read(const std::filesystem::path& folder) = 0;

  // The text to build, from what was read. `source`: the program's own text.
  virtual std::string text(const std::filesystem::path& folder,
                           const std::filesystem::path& source) const = 0;
  // Whether the text still has to be preprocessed: it is the program's own.
  virtual bool is_original() const { return false; }
  // What it is to be built with, for devices of this type ("cpu", "gpu", "accelerator").
  virtual void add_options(const std::string& device_type,
                           runtime::BuildSettings& settings) const = 0;
  // Why launches of `kernel` must stay as they are; empty: they need not.
  virtual std::string refusal(const std::string& kernel) const;
  virtual bool has_sizes() const { return false; }

  // Launches with the same key have the same plan.
  virtual std::vector<std::uint64_t> key(const LaunchRequest& request) const = 0;
  // Throws std::exception where the launch cannot be made so.
  virtual LaunchPlan plan(const LaunchRequest& request) const = 0;
};

// By what `settings`, which must outlive it, say is measured.
std::unique_ptr<Instrumentation> make_instrumentation(const Settings& settings);
std::unique_ptr<Instrumentation> instrument_coverage(const Settings& settings);
std::unique_ptr<Instrumentation> instrument_mutants(const Settings& settings);
std::unique_ptr<Instrumentation> instrument_schedules(const Settings& settings);
std::unique_ptr<Instrumentation> instrument_nothing(const Settings& settings);

} // namespace gputest::layer
