// The simulator as a machine that runs kernels.
#pragma once

#include "runtime/machine.h"
#include "runtime/simulation.h"

#include <string>

namespace gputest::runtime {

class SimulatorMachine : public Machine {
public:
  SimulatorMachine(std::filesystem::path program, Simulation simulation);
  ~SimulatorMachine() override;

  std::string name() const override;
  bool is_cpu() const override { return true; }
  std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                     const std::string& kernel, const std::string& source) override;

  void set_limit(double seconds); // of launches from now on

  struct Process; // shared with the kernels built
private:
  std::shared_ptr<Process> process_;
};

} // namespace gputest::runtime
