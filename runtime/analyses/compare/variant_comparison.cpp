// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/compare/variant_comparison.h"

#include "runtime/analyses/compare/side_by_side.h"
#include "runtime/analyses/coverage/run.h"
#include "runtime/variants/schedule_state.h"

namespace gputest::runtime {
namespace {

Likeness bit_by_bit(const BoundCase& original, const BoundCase& instrumented) {
  std::vector<MemoryDifference> found = differences(original, instrumented);
  const bool identical = found.empty();
  return {std::move(found), identical};
}

Subject variant_subject(const Plan& plan, Machine& machine) {
  return (plan.run->variant ? plan.run->variant : coverage_variant)(plan, machine);
}

struct Variants {
  Variants(const Plan& plan, const KernelDescription& description)
      : machine(plan.open_machine({})),
        original(*machine, original_subject(plan), oracles_of(plan, description)),
        instrumented(*machine, variant_subject(plan, *machine), oracles_of(plan, description)) {}

  std::unique_ptr<Machine> machine;
  CaseRunner original, instrumented;
};

Sides open_variants(const Plan& plan, const KernelDescription& description) {
  const auto variants = std::make_shared<Variants>(plan, description);
  Sides sides{
      .device = variants->machine->name(),
      .left =
          [variants](BoundCase& test_case) { return variants->original.launch_alone(test_case); },
      .right =
          [variants](BoundCase& test_case) {
            return variants->instrumented.launch_alone(test_case);
          }};
  if (variants->instrumented.subject().scheduled) // its state needs the numbers of groups
    sides.prepare = [variants](BoundCase& test_case) {
      test_case.launch = with_local_size(test_case.launch, variants->machine->largest_group());
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
