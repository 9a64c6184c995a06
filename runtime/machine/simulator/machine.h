// The simulator as a machine that runs kernels.
#pragma once

#include "runtime/machine/machine.h"
#include "runtime/machine/simulation.h"

#include <string>

namespace gputest::runtime {

// One kernel in the simulator.
class SimulatedKernel : public BuiltKernel {
public:
  // Every interleaving of a launch, as far as the bounds go; `outputs` are the positions of what is
  // compared. A case that takes longer than its bounds and the machine's limit is a finding.
  virtual Exploration explore(const Launch& launch, std::vector<LaunchArgument>& arguments,
                              const std::vector<std::size_t>& outputs,
                              const ExplorationBounds& bounds) = 0;
};

// A simulator that ends without an answer is started once more: whoever ended it, it may not have
// been the kernel. What ends it twice throws SimulatorEnded, and as a program to be built
// BuildError.
class SimulatorMachine : public Machine {
public:
  SimulatorMachine(std::filesystem::path program, Simulation simulation);
  ~SimulatorMachine() override;

  std::string name() const override;
  MachineIdentity identity() const override;
  bool is_cpu() const override { return true; }
  std::size_t largest_group() const override { return kSimulatedLocalSize; }
  std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                     const std::string& kernel, const std::string& source) override;
  // The same.
  std::unique_ptr<SimulatedKernel> build_simulated(const std::string& text,
                                                   const BuildSettings& settings,
                                                   const std::string& kernel,
                                                   const std::string& source);
  std::unique_ptr<RepeatedCase> repeat(BoundCase test_case, const std::string& kernel,
                                       const std::vector<std::size_t>& outputs,
                                       std::size_t state_bytes) override;
  void limit_launches(double seconds) override { simulation().limit = seconds; }

  Simulation& simulation(); // of launches from now on

  struct Process; // shared with the kernels built
private:
  std::shared_ptr<Process> process_;
};

} // namespace gputest::runtime
