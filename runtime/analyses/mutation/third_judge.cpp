#include "runtime/analyses/mutation/third_judge.h"

#include "runtime/analyses/mutation/mutant_runner.h"
#include "runtime/analyses/mutation/programs.h"

#include <fmt/format.h>

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
  if (original_is_right == variant_is_right)
    return Guilty::Unknown;
  return variant_is_right ? Guilty::Original : same ? Guilty::Variant : Guilty::Gputest;
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

std::string blame_text(Guilty guilty, const std::string& wrong, const std::string& variant) {
  switch (guilty) {
  case Guilty::Original:
    return fmt::format("the device's compiler translates the kernel wrongly: in the simulator it "
                       "computes what {} computes here, and not what it computes here itself, so "
                       "that no mutant was run: {}",
                       variant, wrong);
  case Guilty::Variant:
    return fmt::format("the device's compiler translates {} wrongly: in the simulator it computes, "
                       "without a mutant, what the original computes, so that no mutant was run: "
                       "{}\nMeasure with DEVICE simulator",
                       variant, wrong);
  case Guilty::Gputest:
    return fmt::format("{}, without a mutant, computes something else than the original, in the "
                       "simulator as well, so that no mutant was run: {}\nThis is an error of "
                       "gputest. Please report it, with the kernel",
                       variant, wrong);
  case Guilty::Unknown:
    break;
  }
  return fmt::format(
      "{}, without a mutant, computes something else than the original, so that no mutant was run: "
      "{}\nEither the device's compiler translates one of them wrongly, or this is an error of "
      "gputest, unless work-items race for that memory (--check races tells). Please report it, "
      "with the kernel",
      variant, wrong);
}

} // namespace gputest::runtime
