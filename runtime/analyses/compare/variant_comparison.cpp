#include "runtime/analyses/compare/variant_comparison.h"
#include "runtime/machine/opencl/machine.h"
#include "runtime/machine/source_text.h"

#include "runtime/analyses/compare/side_by_side.h"
#include "runtime/analyses/mutation/programs.h"
#include "runtime/analyses/schedules/programs.h"
#include "runtime/analyses/test/run.h"
#include "runtime/variants/coverage_state.h"
#include "runtime/variants/schedule_state.h"

namespace gputest::runtime {
namespace {

Likeness bit_by_bit(const BoundCase& original, const BoundCase& instrumented) {
  std::vector<MemoryDifference> found = differences(original, instrumented);
  const bool identical = found.empty();
  return {std::move(found), identical};
}

Subject variant_subject(const Plan& plan, const Context& context) {
  if (plan.schedules) {
    const auto folder = schedule_folder(plan, read_sites(plan.kernel_dir), context);
    Subject subject = schedule_subject(plan, folder, "schedule.cl");
    subject.scheduled = true;
    return subject;
  }
  if (!plan.mutation)
    return instrumented_subject(plan, variant_folder(plan, *opencl_machine(context)));
  const auto folder = mutants_folder(plan, read_mutants(plan.kernel_dir), *opencl_machine(context));
  Subject subject{.source = (folder / "mutants.cl").string(),
                  .text = read_variant(folder / "mutants.cl"),
                  .kernel = plan.kernel,
                  .settings = preprocessed(plan.settings),
                  .sites = {},
                  .mutants = read_mutants(folder)};
  return subject;
}

struct Variants {
  Variants(const Plan& plan, const KernelDescription& description)
      : context(choose_device(plan.device)), machine(opencl_machine(context)),
        original(*machine, original_subject(plan), description.reference),
        instrumented(*machine, variant_subject(plan, context), description.reference) {}

  Context context;
  std::unique_ptr<Machine> machine;
  CaseRunner original, instrumented;
};

Sides open_variants(const Plan& plan, const KernelDescription& description) {
  const auto variants = std::make_shared<Variants>(plan, description);
  Sides sides{
      .device = variants->context.device.name,
      .left =
          [variants](BoundCase& test_case) { return variants->original.launch_alone(test_case); },
      .right =
          [variants](BoundCase& test_case) {
            return variants->instrumented.launch_alone(test_case);
          }};
  if (plan.schedules) // which groups there are must be known
    sides.prepare = [variants](BoundCase& test_case) {
      const auto most = variants->context.device.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
      test_case.launch = with_local_size(test_case.launch, most);
    };
  return sides;
}

} // namespace

int compare_variants(const Plan& plan, const KernelDescription& description, unsigned runs) {
  return run_side_by_side(plan, runs,
                          {.format = "gputest-comparison-1",
                           .left = "original",
                           .right = "instrumented",
                           .open = [&] { return open_variants(plan, description); },
                           .compare = bit_by_bit});
}

} // namespace gputest::runtime
