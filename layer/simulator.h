// The simulator in place of the program's devices: a launch runs there, on a copy of the memory
// that it is given, and what it wrote goes back to the device before the call returns.
#pragma once

#include "layer/given_argument.h"
#include "layer/launch_call.h"
#include "layer/run_log.h"
#include "model/sites.h"
#include "runtime/machine/simulator/machine.h"

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace gputest::layer {

class Simulator {
public:
  // `checks`: each launch is looked at in more than the order of `settings`. `log` outlives this.
  Simulator(const runtime::SimulatedProgram& settings, bool checks, RunLog& log);

  // As runtime::probe_macros, of the simulator.
  std::vector<model::DeviceMacro> macros(const std::vector<model::DeviceMacro>& assumed,
                                         const runtime::BuildSettings& build);
  // As runtime::Machine::build.
  std::unique_ptr<runtime::BuiltKernel> build(const std::string& text,
                                              const runtime::BuildSettings& settings,
                                              const std::string& kernel, const std::string& source);

  // A launch as the log names it.
  struct Name {
    unsigned program = 0;
    const std::string& kernel;
    std::uint64_t number = 0; // of the kernel in this process, from 1
  };

  // Makes `launches` in place of that of `call`, one after the other. Waits for what the call waits
  // for, and has ended when it returns. The event of the call is that of a marker. `state` is the
  // kernel's hidden argument; empty: it has none. Returns CL_OUT_OF_RESOURCES where the kernel did
  // what ends it. What it did wrong is written to the log. Throws std::exception where nothing was
  // run: the call can still be made on the device.
  cl_int launch(const LaunchCall& call, std::span<const Launch> launches,
                runtime::BuiltKernel& kernel, const std::vector<GivenArgument>& given,
                runtime::Bytes& state, const Name& name);

private:
  runtime::LaunchOutcome run(runtime::BuiltKernel& kernel, const Launch& launch,
                             std::vector<runtime::LaunchArgument>& arguments,
                             runtime::Bytes& state);
  void record(const Launch& launch, const runtime::LaunchOutcome& outcome, const Name& name);

  bool checks_;
  RunLog& log_;
  std::mutex mutex_;
  runtime::SimulatorMachine machine_;
  std::map<std::string, std::size_t> known_; // findings: numbers, in order of their first
};

// Throws std::runtime_error for what a device may refuse, so that it is the device that does:
// sizes of 0, local sizes that do not divide the global ones or are not those required, groups of
// more than `most_items`. Chooses the local size where the kernel requires one.
Launch launch_for_simulator(Launch launch, const model::KernelInterface& kernel,
                            std::size_t most_items);

} // namespace gputest::layer
