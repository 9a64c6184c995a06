#include "runtime/analyses/mutation/plan.h"

#include "gputest/error.h"
#include "model/operators.h"

#include <cmath>
#include <fmt/format.h>
#include <sstream>
#include <stdexcept>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ',');)
    words.push_back(word);
  if (words.empty())
    throw UsageError("--operators: no operator is named");
  return words;
}

std::vector<std::string> operators_of(const std::vector<std::string>& words) {
  try {
    return model::select_operators(words);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

void expect_positive(unsigned number, std::string_view name) {
  if (number == 0)
    throw UsageError(fmt::format("{} must be at least 1", name));
}

void check(const MutationPlan& plan) {
  expect_positive(plan.repeat, "REPEAT (--repeat)");
  if (plan.sample)
    expect_positive(*plan.sample, "SAMPLE (--sample)");
  if (!(plan.timeout_factor >= 1 && std::isfinite(plan.timeout_factor)))
    throw UsageError("TIMEOUT_FACTOR (--timeout-factor) must be at least 1");
  if (plan.threshold && !(*plan.threshold >= 0 && *plan.threshold <= 100))
    throw UsageError(
        fmt::format("THRESHOLD (--threshold): {:g} is no percentage", *plan.threshold));
}

} // namespace

MutationPlan make_mutation_plan(const Mutation& described, const MutationOptions& options,
                                const fs::path& folder, const fs::path& kernel_dir) {
  MutationPlan plan;
  plan.operators =
      operators_of(options.operators ? words_of(*options.operators) : described.operators);
  plan.mutants = options.mutants;
  plan.since = options.since.value_or(described.since);
  plan.sample = options.sample ? options.sample : described.sample;
  plan.seed = options.seed.value_or(described.seed);
  plan.shard = options.shard.value_or(Shard{});
  plan.repeat = options.repeat.value_or(described.repeat);
  plan.timeout_factor = options.timeout_factor.value_or(described.timeout_factor);
  plan.threshold = options.threshold ? options.threshold : described.threshold;
  plan.all_cases = options.all_cases || described.all_cases;
  plan.fresh = options.fresh;
  plan.uses_simulator = !options.no_simulator;
  plan.verify = options.verify;
  if (!options.store.empty())
    plan.store = fs::absolute(options.store);
  else if (!described.store.empty())
    plan.store = (folder / described.store).lexically_normal();
  else
    plan.store = (kernel_dir / ".." / "results.db").lexically_normal();
  check(plan);
  return plan;
}

std::string default_result(const MutationPlan& plan) {
  return plan.shard.of == 1
             ? "mutation.json"
             : fmt::format("mutation-{}-of-{}.json", plan.shard.number, plan.shard.of);
}

} // namespace gputest::runtime
