// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/programs.h"

#include "runtime/analyses/mutation/programs.h"
#include "runtime/machine/device_macros.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/instrument.h"

#include <fmt/format.h>

namespace gputest::runtime {

namespace fs = std::filesystem;

model::ScheduleSites read_sites(const fs::path& folder) {
  const fs::path file = folder / "schedule-sites.json";
  if (!fs::exists(file))
    throw UsageError(
        fmt::format("{}: error: is not there; add SCHEDULES to gputest_add_kernel() and "
                    "build again",
                    file.string()));
  return model::read_schedule_sites(file);
}

model::ScheduleSites known_sites(const Plan& plan) {
  if (fs::exists(plan.kernel_dir / "schedule-sites.json"))
    return read_sites(plan.kernel_dir);
  model::ScheduleSites sites;
  sites.source = plan.interface.file.empty() ? plan.source.string() : plan.interface.file;
  if (!model::row_of(plan.settings.language).items_move)
    sites.kernels.push_back({.name = plan.kernel, .keeps_items = true});
  return sites;
}

fs::path schedule_folder(const Plan& plan, const model::ScheduleSites& built, Machine& machine) {
  auto actual = probe_macros(machine, built.device_macros, plan.settings);
  if (actual == built.device_macros)
    return plan.kernel_dir;
  return instrument({.source = plan.source,
                     .function = plan.function,
                     .settings = plan.settings,
                     .device_macros = std::move(actual),
                     .source_root = source_root(plan.source, built.source),
                     .variant = model::variant_of("schedules")},
                    find_driver(plan.driver), plan.result.parent_path() / "variants");
}

Subject schedule_subject(const Plan& plan, const fs::path& folder, const std::string& file) {
  return {.source = (folder / file).string(),
          .text = read_variant(folder / file),
          .kernel = plan.kernel,
          .settings = preprocessed(plan.settings)};
}

} // namespace gputest::runtime
