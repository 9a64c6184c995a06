// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator as a machine that runs kernels.
#pragma once

#include "runtime/machine/kind.h"
#include "runtime/machine/simulation.h"

#include <string>

namespace gputest::runtime {

// The simulator's process. If it ends without an answer, it is started again, because something
// else than the kernel may have ended it. If it ends process::kTries times in a row, launches throw
// MachineEnded, and builds throw BuildError.
class SimulatorMachine : public Machine {
public:
  SimulatorMachine(std::filesystem::path program, Simulation simulation);
  ~SimulatorMachine() override;

  std::string name() const override;
  MachineIdentity identity() const override;
  bool is_cpu() const override { return true; }
  bool keeps_in_step(unsigned) const override { return true; }
  std::size_t largest_group() const override { return kSimulatedLocalSize; }
  std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                     const std::string& kernel, const std::string& source) override;
  std::unique_ptr<RepeatedCase> repeat(BoundCase test_case, const std::string& kernel,
                                       const std::vector<std::size_t>& outputs,
                                       std::size_t state_bytes) override;
  Simulation* simulation() override;

  // Returns the code of the host at the return address in the file: the instruction's, then that of
  // calls which were inlined. Empty: it is not known. Throws as launches do.
  std::vector<HostPlace> locate(const std::string& file, std::uint64_t address);

  struct Process; // shared with the kernels built
private:
  std::shared_ptr<Process> process_;
};

// Returns the row of the simulator.
MachineKind simulator_kind();

} // namespace gputest::runtime
