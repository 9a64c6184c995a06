#include "runtime/harness/plan_machine.h"
#include "runtime/machine/opencl/machine.h"

#include "runtime/machine/simulator/machine.h"
#include "runtime/machine/simulator/process.h"

namespace gputest::runtime {

PlanMachine::PlanMachine(const Plan& plan, Simulation simulation) {
  if (wants_simulator(plan.device)) {
    machine =
        std::make_unique<SimulatorMachine>(find_simulator(plan.simulator), std::move(simulation));
  } else {
    context.emplace(choose_device(plan.device));
    machine = opencl_machine(*context);
  }
}

} // namespace gputest::runtime
