// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/plan.h"

#include "model/analyses.h"
#include "model/operators.h"

namespace gputest::runtime {

namespace fs = std::filesystem;

MutationPlan make_mutation_plan(const model::Settings& settings, const fs::path& kernel_dir) {
  MutationPlan plan;
  plan.operators = model::select_operators(settings.names("operators"));
  plan.mutants = settings.names("mutant");
  plan.functions = settings.names("functions");
  plan.files = settings.names("files");
  plan.since = settings.text("since");
  plan.sample = settings.given_whole("sample");
  plan.seed = static_cast<unsigned>(settings.whole("seed"));
  plan.shard = shard_of(settings);
  plan.repeat = static_cast<unsigned>(settings.whole("repeat"));
  plan.timeout_factor = settings.real("timeout-factor");
  plan.threshold = settings.given_real("threshold");
  plan.time_limit = settings.given_seconds("time-limit");
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
  return plan.shard.is_part();
}

fs::path default_result(const MutationPlan& plan, const fs::path& kernel_dir) {
  const fs::path whole = kernel_dir / model::result_file_of("mutation");
  return is_shard(plan) ? result_of(whole, plan.shard) : whole;
}

fs::path folder_of(const MutationPlan& plan, const Shard& shard) {
  return folder_of(plan.shards_folder, shard);
}

} // namespace gputest::runtime
