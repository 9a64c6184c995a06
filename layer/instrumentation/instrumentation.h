// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments one program for one device: the text that runs in place of its kernels, and what each
// launch becomes.
#pragma once

#include "gputest/launch.h"
#include "layer/instrumentation/settings.h"
#include "model/mutation/mutants.h"
#include "model/schedules/schedule.h"
#include "model/sites.h"
#include "runtime/cases/bytes.h"
#include "runtime/variants/instrument.h"
#include "runtime/variants/run_events.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::layer {

// A launch as the program asks for it.
struct RequestedLaunch {
  const std::string& kernel; // the kernel's name
  const std::string& label;  // "<stem>.<kernel>"
  // Number of the launch, among those of the label in this process, from 1.
  std::uint64_t number = 0;
  Launch launch;
  // The most work-items that a group of this kernel may have on the device.
  std::size_t most_items = 0;
  // Bytes of each argument that points to memory, and 0 for others. Empty if has_sizes() is false.
  std::vector<std::uint64_t> sizes{};
};

// In which order the simulator runs a launch.
struct LaunchOrder {
  model::Order groups{}, items{};
};

// Launches of one key share this.
struct LaunchPlan {
  runtime::Bytes state; // content of the buffer before the first of them
  // These replace the launch, one after the other; empty: the launch as it is.
  std::vector<Launch> launches;
  bool is_final = false;       // the program is told if the device refuses them
  runtime::StateEvent event{}; // sizes, ordered, test_case, note
  // The simulator runs the launches in this order; nullopt: in that of the command's settings.
  std::optional<LaunchOrder> order{};
};

// Adds the sizes to a key.
void add_sizes(const Launch& launch, std::vector<std::uint64_t>& key);

class Instrumentation {
public:
  Instrumentation() = default;
  Instrumentation(const Instrumentation&) = delete;
  Instrumentation& operator=(const Instrumentation&) = delete;
  virtual ~Instrumentation() = default;

  virtual model::Variant variant() const = 0;
  // Reads the variant that gputest wrote. Returns the macros that it assumed.
  virtual const std::vector<model::DeviceMacro>& read(const std::filesystem::path& folder) = 0;

  // Returns the text to build, made of what was read. `source` is the program's own text.
  virtual std::string text(const std::filesystem::path& folder,
                           const std::filesystem::path& source) const = 0;
  // Returns whether the text is the program's own, which still has to be preprocessed. Its kernels
  // have no hidden argument.
  virtual bool is_original() const { return false; }
  // Returns whether launches of the program's own text have plans with an order.
  virtual bool orders_original() const { return false; }
  // Adds options with which to build it for devices of this type ("cpu", "gpu", "accelerator").
  virtual void add_options(const std::string& device_type,
                           runtime::BuildSettings& settings) const = 0;
  // Returns why launches of `kernel` must stay as they are; empty: they need not.
  virtual std::string refusal(const std::string& kernel) const;
  virtual bool has_sizes() const { return false; }

  // Launches with the same key have the same plan.
  virtual std::vector<std::uint64_t> key(const RequestedLaunch& request) const = 0;
  // Returns the plan of the launch. Throws std::exception if the launch cannot be made that way.
  virtual LaunchPlan plan(const RequestedLaunch& request) const = 0;

  // Returns the mutants that are tried on launches (trials.h); nullptr: there are none.
  virtual const model::MutantTable* mutants() const { return nullptr; }
  // Returns the plan of a launch with `mutant`, one of mutants(); nullptr: without a mutant.
  // `order`: see runtime::order_of(). Throws std::exception.
  virtual LaunchPlan trial(const RequestedLaunch& request, const model::Mutant* mutant,
                           unsigned order, bool trace) const;
};

// Return the instrumentation for a measure. `settings` must outlive it. The table of measures is in
// layer/instrumentation/measures.cpp.
std::unique_ptr<Instrumentation> instrument_coverage(const Settings& settings);
std::unique_ptr<Instrumentation> instrument_mutants(const Settings& settings);
std::unique_ptr<Instrumentation> instrument_schedules(const Settings& settings);
std::unique_ptr<Instrumentation> instrument_nothing(const Settings& settings);
// Does what instrument_schedules() does for modules in SPIR-V, whose order the simulator chooses.
std::unique_ptr<Instrumentation> instrument_orders(const Settings& settings);

} // namespace gputest::layer
