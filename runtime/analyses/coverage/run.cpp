// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/coverage/run.h"

#include "runtime/machine/device_macros.h"
#include "runtime/variants/instrument.h"

namespace gputest::runtime {
namespace fs = std::filesystem;

const CoveragePlan* coverage_plan(const Plan& plan) {
  return std::any_cast<CoveragePlan>(&plan.own);
}

static void prepare_coverage(Plan& plan, const Options& /*options*/) {
  CoveragePlan own;
  for (const model::Setting& setting : plan.analysis.analysis().settings)
    if (const auto criterion = model::named<model::Criterion>(setting.name))
      if (const auto percent = plan.analysis.given_real(setting.name))
        own.thresholds.percent[*criterion] = *percent;
  plan.own = std::move(own);
}

fs::path variant_folder(const Plan& plan, Machine& machine) {
  const model::SiteTable table = model::read_site_table(plan.kernel_dir / "sites.json");
  const auto actual = probe_macros(machine, table.device_macros, plan.settings);
  if (actual == table.device_macros)
    return plan.kernel_dir;
  return instrument({.source = plan.source,
                     .function = plan.function,
                     .settings = plan.settings,
                     .device_macros = actual,
                     .source_root = source_root(plan.source, table.source),
                     .kernel = plan.kernel},
                    find_driver(plan.driver), plan.result.parent_path() / "variants");
}

Subject coverage_variant(const Plan& plan, Machine& machine) {
  return instrumented_subject(plan, variant_folder(plan, machine));
}

AnalysisRun coverage_analysis() {
  return {.name = "coverage",
          .prepare = prepare_coverage,
          .variant = coverage_variant,
          .comparison = "comparison.json"};
}

} // namespace gputest::runtime
