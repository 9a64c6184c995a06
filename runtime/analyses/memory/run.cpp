#include "runtime/analyses/memory/run.h"

#include "runtime/analyses/kernel_command.h"

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

const KernelCommand kCommand{.name = "memory",
                             .purpose = "another program knows what makes kernels slow",
                             .cases = "case",
                             .global_size = "global-size",
                             .local_size = "local-size"};

// A preset's name, or the file of that name in the kernel's folder.
std::string gpu_of(const Plan& plan) {
  const std::string named = plan.analysis.text("gpu");
  const fs::path file = plan.source.parent_path() / named;
  return fs::is_regular_file(file) ? file.string() : named;
}

} // namespace

int run_memory(const Plan& plan, const KernelDescription& description) {
  std::vector<std::string> words =
      kernel_command(kCommand, "a device function has no warps of its own", plan, description);
  const auto add = [&](std::string_view option, const std::string& value) {
    add_option(words, option, value);
  };
  add("gpu", gpu_of(plan));
  if (plan.analysis.given("warps")) {
    add("replay", fs::absolute(plan.analysis.text("warps")).string());
    become(std::move(words));
  }
  add("schedules", plan.analysis.text("count"));
  add("seed", plan.analysis.text("seed"));
  for (const char* limit : {"strategy", "budget", "overhead", "issues"})
    if (plan.analysis.given(limit))
      add(limit, plan.analysis.text(limit));
  add("replays", (plan.kernel_dir / "memory").string());
  add("json", plan.result.string());
  become(std::move(words));
}

} // namespace gputest::runtime
