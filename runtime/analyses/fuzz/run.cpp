#include "runtime/analyses/fuzz/run.h"

#include "runtime/analyses/fuzz/judge.h"
#include "runtime/analyses/kernel_command.h"

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

const KernelCommand kCommand{.name = "fuzz",
                             .purpose = "another program makes the inputs",
                             .cases = "cases",
                             .global_size = "case-global-size",
                             .local_size = "case-local-size"};

} // namespace

int run_fuzz(const Plan& plan, const KernelDescription& description) {
  if (plan.analysis.given("judge"))
    return run_judge(plan, description);
  std::vector<std::string> words =
      kernel_command(kCommand, "inputs for a device function cannot be made", plan, description);
  const auto add = [&](std::string_view option, const std::string& value) {
    add_option(words, option, value);
  };
  for (const std::string& text : description.requirements)
    add("require", text);
  add("seconds", plan.analysis.text("seconds"));
  if (plan.analysis.given("seed"))
    add("seed", plan.analysis.text("seed"));
  add("output", (plan.kernel_dir / "fuzz").string());
  add("json", plan.result.string());
  if (plan.analysis.given("replay"))
    add("replay", plan.analysis.text("replay"));
  const bool has_device = !plan.machine->stands_in && !plan.analysis.given("no-device");
  if (description.reference || description.property || has_device) {
    add("judge", fs::read_symlink("/proc/self/exe").string());
    if (!has_device)
      add("judge-device", std::string(kind_that(plan.machines, &MachineKind::stands_in).name));
    else if (!plan.device.empty())
      add("judge-device", plan.device);
  }
  become(std::move(words));
}

} // namespace gputest::runtime
