// The machine that a plan names.
#pragma once

#include "runtime/harness/plan.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/opencl/device.h"

#include <optional>

namespace gputest::runtime {

struct PlanMachine {
  // `simulation`: of the simulator, if that is it. Throws NoDevice, UsageError, DeviceError.
  PlanMachine(const Plan& plan, Simulation simulation);
  PlanMachine(const PlanMachine&) = delete;
  PlanMachine& operator=(const PlanMachine&) = delete;

  std::optional<Context> context; // of an OpenCL device
  std::unique_ptr<Machine> machine;
};

} // namespace gputest::runtime
