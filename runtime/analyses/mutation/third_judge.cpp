// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/third_judge.h"

#include "runtime/analyses/mutation/mutant_runner.h"
#include "runtime/analyses/mutation/programs.h"

namespace gputest::runtime {
namespace {

Guilty judged(const Plan& plan, const model::MutantTable& table, std::size_t test_case,
              const Disputed& disputed) {
  const auto bound = [&] {
    return bind_case(plan.cases[test_case], plan.interface, plan.defaults);
  };
  std::vector<ExpectedOutput> outputs = expected_outputs(bound(), {});
  for (ExpectedOutput& output : outputs)
    output.right.clear(); // only the three are compared
  const std::unique_ptr<Machine> simulator = plan.open_machine(&MachineKind::stands_in, {});
  // Returns whether the kernel does no harm.
  const auto ran = [](MutantRunner& runner, BuiltKernel& kernel, bool with_state) {
    const auto prepared = runner.prepare(kernel, with_state);
    runner.run(*prepared, {}, runner.test_case().launch);
    return !runner.event_notice();
  };

  MutantRunner there(*simulator, table, bound(), plan.kernel, std::move(outputs));
  const Subject subject = original_subject(plan);
  const auto original =
      simulator->build(subject.text, subject.settings, subject.kernel, subject.source);
  if (!ran(there, *original, false))
    return Guilty::Unknown;
  there.add_originals();
  const auto variant = VariantBuilder(*simulator, plan, false).build(disputed.text, "mutants");
  const bool same = ran(there, *variant, true) && there.unlike_originals().empty();

  MutantRunner here(disputed.machine, table, bound(), plan.kernel, there.outputs());
  const bool original_is_right =
      ran(here, disputed.original, false) && here.unlike_originals().empty();
  const bool variant_is_right =
      ran(here, disputed.variant, disputed.with_state) && here.unlike_originals().empty();
  return model::guilty_of(original_is_right, variant_is_right, same);
}

} // namespace

Guilty third_judge(const Plan& plan, const model::MutantTable& table, std::size_t test_case,
                   const Disputed& disputed) {
  if (plan.machine->stands_in) // the simulator is one of the two
    return Guilty::Unknown;
  try {
    return judged(plan, table, test_case, disputed);
  } catch (const Error&) {
    return Guilty::Unknown;
  }
}

} // namespace gputest::runtime
