#include "runtime/analyses/compare/device_comparison.h"
#include "runtime/machine/opencl/machine.h"

#include "runtime/analyses/compare/side_by_side.h"
#include "runtime/cases/comparison.h"
#include "runtime/machine/simulator/machine.h"
#include "runtime/machine/simulator/process.h"

#include <cstdlib>

namespace gputest::runtime {
namespace {

// Within the case's tolerance, or where it has none within kUlp.
Likeness within_tolerance(const BoundCase& device, const BoundCase& simulator) {
  Tolerance tolerance = device.tolerance;
  if (!tolerance.absolute && !tolerance.relative && !tolerance.ulp)
    tolerance.ulp = kUlp;
  return {differences(device, simulator, tolerance), differences(device, simulator).empty()};
}

struct Machines {
  explicit Machines(const Plan& plan)
      : context(device()), machine(opencl_machine(context)),
        simulator(find_simulator(plan.simulator), plan.simulation), subject(original_subject(plan)),
        on_device(build(*machine)), in_simulator(build(simulator)) {}

  static Device device() {
    const char* const wanted = std::getenv("GPUTEST_OPENCL_DEVICE");
    return wanted && *wanted ? choose_device(wanted) : list_devices().front();
  }
  std::unique_ptr<BuiltKernel> build(Machine& on) const {
    return on.build(subject.text, subject.settings, subject.kernel, subject.source);
  }

  Context context;
  std::unique_ptr<Machine> machine;
  SimulatorMachine simulator;
  Subject subject;
  std::unique_ptr<BuiltKernel> on_device, in_simulator;
};

double launch(BuiltKernel& kernel, BoundCase& test_case) {
  Bytes state;
  return kernel.launch(test_case.launch, test_case.arguments, state).seconds;
}

Sides open_machines(const Plan& plan) {
  const auto machines = std::make_shared<Machines>(plan);
  return {
      .device = machines->context.device.name,
      .left = [machines](BoundCase& test_case) { return launch(*machines->on_device, test_case); },
      .right =
          [machines](BoundCase& test_case) { return launch(*machines->in_simulator, test_case); }};
}

} // namespace

int compare_with_simulator(const Plan& plan, unsigned runs) {
  return run_side_by_side(plan, runs,
                          {.format = "gputest-simulator-comparison-1",
                           .left = "device",
                           .right = "simulator",
                           .open = [&] { return open_machines(plan); },
                           .compare = within_tolerance});
}

} // namespace gputest::runtime
