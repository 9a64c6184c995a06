#include "runtime/analyses/mutation/plan.h"

#include "gputest/error.h"
#include "model/mutation/operators.h"

#include <cstdio>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// "2/8".
Shard shard_of(const std::string& text) {
  Shard shard;
  char rest = 0;
  const bool is_shard =
      std::sscanf(text.c_str(), "%9u/%9u%c", &shard.number, &shard.of, &rest) == 2;
  if (!is_shard || shard.number < 1 || shard.number > shard.of)
    throw UsageError(fmt::format("--shard '{}': give K/N, the K-th of N parts, such as 1/4", text));
  return shard;
}

} // namespace

MutationPlan make_mutation_plan(const model::Settings& settings, const fs::path& kernel_dir) {
  MutationPlan plan;
  plan.operators = model::select_operators(settings.names("operators"));
  plan.mutants = settings.names("mutant");
  plan.since = settings.text("since");
  plan.sample = settings.given_whole("sample");
  plan.seed = static_cast<unsigned>(settings.whole("seed"));
  if (settings.given("shard"))
    plan.shard = shard_of(settings.text("shard"));
  plan.repeat = static_cast<unsigned>(settings.whole("repeat"));
  plan.timeout_factor = settings.real("timeout-factor");
  plan.threshold = settings.given_real("threshold");
  plan.all_cases = settings.given("all-cases");
  plan.fresh = settings.given("fresh");
  plan.uses_simulator = !settings.given("no-simulator");
  plan.verify = settings.given_whole("verify");
  plan.shards = static_cast<unsigned>(settings.whole("shards"));
  plan.shards_folder = kernel_dir / "shards";
  if (settings.given("store"))
    plan.store = settings.text("store");
  else if (is_shard(plan))
    plan.store = folder_of(plan, plan.shard) / "results.db";
  else
    plan.store = (kernel_dir / ".." / "results.db").lexically_normal();
  return plan;
}

bool is_shard(const MutationPlan& plan) {
  return plan.shard.of != 1;
}

fs::path default_result(const MutationPlan& plan, const fs::path& kernel_dir) {
  return is_shard(plan)
             ? folder_of(plan, plan.shard) /
                   fmt::format("mutation-{}-of-{}.json", plan.shard.number, plan.shard.of)
             : kernel_dir / "mutation.json";
}

fs::path folder_of(const MutationPlan& plan, const Shard& shard) {
  return plan.shards_folder / fmt::format("{}-of-{}", shard.number, shard.of);
}

} // namespace gputest::runtime
