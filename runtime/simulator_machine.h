// The simulator as a machine that runs kernels.
#pragma once

#include "runtime/machine.h"
#include "runtime/values.h"

#include <string>
#include <vector>

namespace gputest::runtime {

// How launches are to run; docs/simulator.md.
struct Simulation {
  std::string groups = "ascending", items = "ascending"; // or "descending", "random"
  std::uint64_t seed = 1;                                // of random orders
  std::vector<std::string> checks{};                     // "races", "barriers", …; none: plain
  double limit = 0;                                      // seconds for a launch; 0: any
};

// Something that a kernel did and no kernel may do.
struct SimulatorFinding {
  std::string kind, file, message;
  unsigned line = 0, column = 0; // line 0: not known
};

// "k.cl:3:5: error: …": editors jump there.
std::string text_of(const SimulatorFinding& finding);

class SimulatorMachine : public Machine {
public:
  SimulatorMachine(std::filesystem::path program, Simulation simulation);
  ~SimulatorMachine() override;

  std::string name() const override;
  bool is_cpu() const override { return true; }
  std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                     const std::string& kernel, const std::string& source) override;

  struct Process; // shared with the kernels built
private:
  std::shared_ptr<Process> process_;
};

} // namespace gputest::runtime
