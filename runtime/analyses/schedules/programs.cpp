#include "runtime/analyses/schedules/programs.h"
#include "runtime/machine/opencl/machine.h"
#include "runtime/machine/source_text.h"

#include "runtime/analyses/mutation/programs.h"
#include "runtime/machine/device_macros.h"
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

fs::path schedule_folder(const Plan& plan, const model::ScheduleSites& built,
                         const Context& context) {
  auto actual = probe_macros(*opencl_machine(context), built.device_macros, plan.settings);
  if (actual == built.device_macros)
    return plan.kernel_dir;
  return instrument({.source = plan.source,
                     .function = plan.function,
                     .settings = plan.settings,
                     .device_macros = std::move(actual),
                     .source_root = source_root(plan.source, built.source),
                     .variant = Variant::Schedule},
                    find_driver(plan.driver), plan.result.parent_path() / "variants");
}

Subject schedule_subject(const Plan& plan, const fs::path& folder, const std::string& file) {
  return {.source = (folder / file).string(),
          .text = read_variant(folder / file),
          .kernel = plan.kernel,
          .settings = preprocessed(plan.settings),
          .sites = {}};
}

void check_atomics(const std::string& version, const std::string& extensions,
                   const std::string& device) {
  // "OpenCL 1.0 …": atomics belong to the core since 1.1.
  if (!version.starts_with("OpenCL 1.0") ||
      extensions.find("cl_khr_global_int32_base_atomics") != std::string::npos)
    return;
  throw UsageError(fmt::format("{} has no 32-bit atomics (cl_khr_global_int32_base_atomics), which "
                               "schedules need: choose another with DEVICE (--device)",
                               device));
}

} // namespace gputest::runtime
