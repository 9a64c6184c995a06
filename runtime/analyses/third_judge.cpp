// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/third_judge.h"

#include "model/checks/checks.h"
#include "runtime/cases/comparison.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {
namespace {

class Court {
public:
  explicit Court(const Disputed& disputed)
      : disputed_(disputed), initial_(bind_case(disputed.plan.cases[disputed.test_case],
                                                disputed.plan.interface, disputed.plan.defaults)) {
    read_back_all(initial_);
  }

  Opinion opinion(const Subject& variant) const {
    const Subject original = original_subject(disputed_.plan);
    BoundCase right = initial_;
    const std::unique_ptr<Machine> checking = simulator(model::default_checks());
    const auto kernel =
        checking->build(original.text, original.settings, original.kernel, original.source);
    Bytes no_state;
    const LaunchOutcome outcome = kernel->launch(right.launch, right.arguments, no_state);
    if (const auto decided = model::opinion_of(outcome.findings))
      return *decided;
    const bool same = is_right(*simulator({}), variant, right);
    return {model::guilty_of(is_right(disputed_.device, original, right),
                             is_right(disputed_.device, variant, right), same)};
  }

  bool is_device_wrong(const Oracles& oracles) const {
    BoundCase right = initial_;
    const CaseResult result =
        CaseRunner(*simulator(model::default_checks()), original_subject(disputed_.plan), oracles)
            .run(right, [](const std::string&) {});
    return result.launched && result.verdict == model::CaseVerdict::Passed &&
           !is_right(disputed_.device, original_subject(disputed_.plan), right);
  }

private:
  std::unique_ptr<Machine> simulator(std::vector<std::string> checks) const {
    return disputed_.plan.open_machine(
        &MachineKind::stands_in,
        {.checks = std::move(checks), .limit = disputed_.plan.timeout * kOfLimit});
  }

  // Whether it leaves what the original leaves in the simulator.
  bool is_right(Machine& machine, const Subject& subject, const BoundCase& right) const {
    BoundCase left = initial_;
    try {
      CaseRunner(machine, subject, {}).launch_alone(left);
    } catch (const KernelError&) {
      return false;
    }
    for (std::size_t i = 0; i < left.arguments.size(); ++i) {
      const Bytes& expected = right.arguments[i].bytes;
      const Tolerance tolerance =
          for_other_compilers(initial_.tolerance, initial_.types[i], expected);
      if (left.arguments[i].bytes != expected &&
          !compare(initial_.types[i], expected, left.arguments[i].bytes, tolerance).equal())
        return false;
    }
    return true;
  }

  const Disputed& disputed_;
  BoundCase initial_;
};

} // namespace

Opinion third_judge(const Disputed& disputed, const Subject& variant) {
  if (disputed.plan.machine->stands_in) // the simulator is one of the two
    return {};
  try {
    return Court(disputed).opinion(variant);
  } catch (const Error&) {
    return {};
  }
}

bool device_is_wrong(const Disputed& disputed, const Oracles& oracles) {
  if (disputed.plan.machine->stands_in)
    return false;
  try {
    return Court(disputed).is_device_wrong(oracles);
  } catch (const Error&) {
    return false;
  }
}

} // namespace gputest::runtime
