// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs launches in the simulator, in place of the program's devices. A launch runs there on a copy
// of its memory. What it wrote goes back to the device before the call returns.
#pragma once

#include "layer/instrumentation/instrumentation.h"
#include "layer/opencl/given_argument.h"
#include "layer/opencl/launch_call.h"
#include "layer/run_log.h"
#include "model/sites.h"
#include "process/code_place.h"
#include "runtime/machine/simulator/machine.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace gputest::layer {

// Bytes of memory that a launch has accessed.
struct AccessedMemory {
  cl_mem memory = nullptr; // nullptr: it is shared virtual memory
  // Without any, the launch may have written all of it.
  std::vector<simulator::wire::AccessedBytes> bytes{};
};

class Simulator {
public:
  // `checks`: each launch is checked in more orders than that of `settings`. `log` must outlive
  // this.
  Simulator(const runtime::SimulatedProgram& settings, bool checks, RunLog& log);

  // As runtime::probe_macros(), for the simulator.
  std::vector<model::DeviceMacro> macros(const std::vector<model::DeviceMacro>& assumed,
                                         const runtime::BuildSettings& build);
  // As runtime::Machine::build().
  std::unique_ptr<runtime::BuiltKernel> build(const std::string& text,
                                              const runtime::BuildSettings& settings,
                                              const std::string& kernel, const std::string& source);

  // Whether the check HOST is made. Then take_accessed() returns what the last launch of this
  // thread has accessed, and nothing if it did not run here.
  bool judges_host() const { return judges_host_; }
  std::vector<AccessedMemory> take_accessed();
  // Does what SimulatorMachine::locate() does.
  std::vector<runtime::HostPlace> locate(const process::CodePlace& place);

  // The name of a launch in the log.
  struct Name {
    unsigned program = 0;
    const std::string& kernel;
    // Number of the launch, among those of the kernel in this process, from 1.
    std::uint64_t number = 0;
  };

  // Makes `launches` in place of the launch of `call`, whose turn it is, one after the other.
  // Returns when they have ended. The event of the call is that of a marker. `state` is the
  // kernel's hidden argument; empty: it has none. Without `order`, that of the settings. Findings
  // are written to the log. Returns CL_OUT_OF_RESOURCES if the kernel was ended. Throws
  // std::exception if nothing ran; the call can then still be made on the device.
  cl_int launch(const LaunchCall& call, std::span<const Launch> launches,
                runtime::BuiltKernel& kernel, const std::vector<GivenArgument>& given,
                runtime::Bytes& state, const Name& name,
                const std::optional<LaunchOrder>& order = {});

private:
  runtime::LaunchOutcome run(runtime::BuiltKernel& kernel, const Launch& launch,
                             std::vector<runtime::LaunchArgument>& arguments, runtime::Bytes& state,
                             const std::optional<LaunchOrder>& order);
  void record(const Launch& launch, const runtime::LaunchOutcome& outcome, const Name& name);

  void keep_accessed(const std::vector<GivenArgument>& given,
                     const runtime::LaunchOutcome& outcome);

  bool checks_, judges_host_, keeps_races_ = true;
  RunLog& log_;
  std::mutex mutex_;
  runtime::SimulatorMachine machine_;
  LaunchOrder usual_;
  // Numbers of findings, in the order in which they first occurred.
  std::map<std::string, std::size_t> known_;
  std::map<std::thread::id, std::vector<AccessedMemory>> accessed_;
};

// Returns the launch for the simulator, with a local size if the kernel requires one. Throws
// std::runtime_error for launches that a device may refuse, so that the device refuses them: sizes
// of 0, local sizes that do not divide the global ones or are not those required, groups of more
// than `most_items`.
Launch launch_for_simulator(Launch launch, const model::KernelInterface& kernel,
                            std::size_t most_items);

} // namespace gputest::layer
