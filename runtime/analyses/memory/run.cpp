// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --memory: finds out what makes the cases slow on the model of a GPU; docs/memory.md.
#include "gputest/error.h"
#include "model/files.h"
#include "model/memory/results.h"
#include "runtime/analyses/kernel_command.h"
#include "runtime/plan/shards.h"
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

const KernelCommand kCommand{.name = "memory",
                             .purpose = "another program knows what makes kernels slow",
                             .cases = "case",
                             .global_size = "global-size",
                             .local_size = "local-size",
                             .global_offset = "global-offset",
                             .shared_memory = "shared-memory"};

// A preset's name, or the file of that name in the kernel's folder.
std::string gpu_of(const Plan& plan) {
  const std::string named = plan.analysis.text("gpu");
  const fs::path file = plan.source.parent_path() / named;
  return fs::is_regular_file(file) ? file.string() : named;
}

// A GPU of the project's own is a file, so the hash of the results includes its content.
std::string content_with_gpu(const Plan& plan, const KernelDescription& description) {
  return store::content_hash(content_of(plan, description) +
                             model::read_text(gpu_of(plan)).value_or(""));
}

// Writes the case that is made of ARGUMENTS alone to a file. Options give all that the file leaves
// out.
fs::path case_of_arguments(const Plan& plan) {
  nlohmann::json json = nlohmann::json::array();
  for (const TestCase& one : plan.cases)
    if (one.file.empty())
      json.push_back({{"name", one.name}, {"arguments", nlohmann::json::object()}});
  fs::path file = plan.kernel_dir / "memory" / "arguments.json";
  fs::create_directories(file.parent_path());
  model::write_atomically(file, json.dump() + "\n");
  return fs::absolute(file);
}

// Returns the command line for a run, for a shard, or for the whole of shards. A shard has no
// limits, and its schedules are beside its result. The whole runs what shards have not done.
std::vector<std::string> command_of(const Plan& plan, const KernelDescription& description,
                                    const fs::path& result, bool is_part) {
  std::vector<std::string> words =
      kernel_command(kCommand, "a device function has no warps of its own", plan, description);
  const auto add = [&](std::string_view option, const std::string& value) {
    add_option(words, option, value);
  };
  if (std::ranges::any_of(plan.cases, [](const TestCase& one) { return one.file.empty(); }))
    add("case", case_of_arguments(plan).string());
  add("gpu", gpu_of(plan));
  if (plan.analysis.given("warps")) {
    add("replay", fs::absolute(plan.analysis.text("warps")).string());
    return words;
  }
  add("schedules", plan.analysis.text("count"));
  add("seed", plan.analysis.text("seed"));
  for (const char* of_search : {"strategy", "budget"})
    if (plan.analysis.given(of_search))
      add(of_search, plan.analysis.text(of_search));
  if (plan.analysis.given("strategy"))
    for (const std::string& requirement : description.requirements)
      add("require", requirement);
  for (const char* limit : {"overhead", "issues", "cycles"})
    if (!is_part && plan.analysis.given(limit))
      add(limit, plan.analysis.text(limit));
  if (!is_part && !plan.analysis.text("not-slower-than").empty())
    for (const char* limit : {"not-slower-than", "slower-by"})
      if (plan.analysis.given(limit))
        add(limit, plan.analysis.text(limit));
  add("replays", ((is_part ? result.parent_path() : plan.kernel_dir) / "memory").string());
  add("json", result.string());
  return words;
}

// Replaces this process by `gputest memory`. If there are shards, that takes what they have found.
int run_memory(const Plan& plan, const KernelDescription& description) {
  const Shard own = shard_of(plan.analysis);
  const auto shards = static_cast<unsigned>(plan.analysis.whole("shards"));
  if (plan.analysis.given("warps") || (shards == 1 && !own.is_part()))
    become(command_of(plan, description, plan.result, false));
  const std::string content = content_with_gpu(plan, description);
  const auto run_part = [&](const Shard& shard, const fs::path& result) {
    std::vector<std::string> words = command_of(plan, description, result, true);
    add_option(words, "shard", fmt::format("{}/{}", shard.number, shard.of));
    add_option(words, "content", content);
    return run_child(std::move(words));
  };
  if (own.is_part())
    return run_part(own, plan.result);
  std::vector<std::string> whole = command_of(plan, description, plan.result, false);
  const auto take = [&](const Shard&, const fs::path& result) {
    add_option(whole, "take", result.string());
  };
  if (const int code = gather_shards(
          plan, shards, content, {.format = model::kMemoryFormat, .run = run_part, .take = take}))
    return code;
  fmt::print("{} shards:\n", shards);
  become(std::move(whole));
}

} // namespace

AnalysisRun memory_analysis() {
  return {.name = "memory", .prepare = prepare_shard, .run = run_memory, .simulates = true};
}

} // namespace gputest::runtime
