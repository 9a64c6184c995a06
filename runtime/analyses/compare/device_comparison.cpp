// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/compare/device_comparison.h"

#include "runtime/analyses/compare/side_by_side.h"
#include "runtime/cases/comparison.h"

#include <cstdlib>

namespace gputest::runtime {
namespace {

// Within the case's tolerance, or where it has none within kUlp.
Likeness within_tolerance(const BoundCase& device, const BoundCase& other) {
  Tolerance tolerance = device.tolerance;
  if (!tolerance.absolute && !tolerance.relative && !tolerance.ulp)
    tolerance.ulp = kUlp;
  return {differences(device, other, tolerance), differences(device, other).empty()};
}

struct Machines {
  explicit Machines(const Plan& plan)
      : device(open_compared_device(plan)), other(plan.open_machine(plan.simulation)),
        subject(original_subject(plan)), on_device(build(*device)), on_other(build(*other)) {}

  std::unique_ptr<BuiltKernel> build(Machine& on) const {
    return on.build(subject.text, subject.settings, subject.kernel, subject.source);
  }

  std::unique_ptr<Machine> device, other;
  Subject subject;
  std::unique_ptr<BuiltKernel> on_device, on_other;
};

double launch(BuiltKernel& kernel, BoundCase& test_case) {
  Bytes state;
  return kernel.launch(test_case.launch, test_case.arguments, state).seconds;
}

Sides open_machines(const Plan& plan) {
  const auto machines = std::make_shared<Machines>(plan);
  return {
      .device = machines->device->name(),
      .left = [machines](BoundCase& test_case) { return launch(*machines->on_device, test_case); },
      .right = [machines](BoundCase& test_case) { return launch(*machines->on_other, test_case); }};
}

} // namespace

std::unique_ptr<Machine> open_compared_device(const Plan& plan) {
  const char* const wanted = std::getenv("GPUTEST_OPENCL_DEVICE");
  return plan.machines.front().open({.device = wanted && *wanted ? wanted : "0"});
}

int compare_with_device(const Plan& plan, unsigned runs) {
  return run_side_by_side(plan, runs,
                          {.format = "gputest-simulator-comparison-1",
                           .left = "device",
                           .right = std::string(plan.machine->name),
                           .open = [&] { return open_machines(plan); },
                           .compare = within_tolerance});
}

} // namespace gputest::runtime
