// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --fuzz: tries new inputs for some time, each in the simulator under its checks; docs/fuzzing.md.
#include "runtime/analyses/fuzz/judge.h"
#include "runtime/analyses/fuzz/shards.h"
#include "runtime/analyses/kernel_command.h"
#include "runtime/plan/shards.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

const KernelCommand kCommand{.name = "fuzz",
                             .purpose = "another program makes the inputs",
                             .cases = "cases",
                             .global_size = "case-global-size",
                             .local_size = "case-local-size",
                             .global_offset = "case-global-offset",
                             .shared_memory = "case-shared-memory"};

// Returns the command line of `gputest fuzz`. `content` is written to a shard's result.
std::vector<std::string> command_of(const Plan& plan, const KernelDescription& description,
                                    const fs::path& result, const Shard& shard,
                                    const std::string& content) {
  std::vector<std::string> words =
      kernel_command(kCommand, "inputs for a device function cannot be made", plan, description);
  const auto add = [&](std::string_view option, const std::string& value) {
    add_option(words, option, value);
  };
  for (const std::string& text : description.requirements)
    add("require", text);
  const auto limit = plan.analysis.given_seconds("time-limit");
  const double seconds = plan.analysis.real("seconds");
  add("seconds", fmt::format("{:g}", limit ? std::min(*limit, seconds) : seconds));
  if (limit && *limit < seconds)
    add("left-out", fmt::format("{:g}", seconds - *limit));
  if (plan.analysis.given("seed")) // each shard has inputs of its own
    add("seed", std::to_string(plan.analysis.whole("seed") + shard.number - 1));
  add("output", ((shard.is_part() ? result.parent_path() : plan.kernel_dir) / "fuzz").string());
  add("json", result.string());
  if (!content.empty())
    add("content", content);
  if (plan.analysis.given("replay"))
    add("replay", plan.analysis.text("replay"));
  const bool has_device = !plan.machine->stands_in && !plan.analysis.given("no-device");
  if (description.has_reference() || description.property || has_device) {
    add("judge", fs::read_symlink("/proc/self/exe").string());
    if (!has_device)
      add("judge-device", std::string(kind_that(plan.machines, &MachineKind::stands_in).name));
    else if (!plan.device.empty())
      add("judge-device", plan.device);
  }
  return words;
}

// Replaces this process by `gputest fuzz`, which makes the inputs and launches them. That starts
// this program again with --judge, to ask about what they left (judge.h). Returns with --judge, and
// where there are shards.
int run_fuzz(const Plan& plan, const KernelDescription& description) {
  if (plan.analysis.given("judge"))
    return run_judge(plan, description);
  const Shard shard = shard_of(plan.analysis);
  const auto shards = static_cast<unsigned>(plan.analysis.whole("shards"));
  if (plan.analysis.given("replay") || (shards == 1 && !shard.is_part()))
    become(command_of(plan, description, plan.result, {}, ""));
  const std::string content = content_with_program(plan, description);
  if (shard.is_part()) {
    const int code = run_child(command_of(plan, description, plan.result, shard, content));
    return code == 1 ? 0 : code; // the run of the whole reports what it found
  }
  return run_whole(plan, shards, content, [&](const Shard& part, const fs::path& result) {
    return run_child(command_of(plan, description, result, part, content));
  });
}

} // namespace

AnalysisRun fuzz_analysis() {
  return {.name = "fuzz",
          .prepare = prepare_shard,
          .run = run_fuzz,
          .makes_inputs = true,
          .simulates = true};
}

} // namespace gputest::runtime
