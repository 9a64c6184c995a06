// What --mutation is to do: the described settings with the options that override them.
#pragma once

#include "gputest/harness.h"
#include "runtime/analyses/mutation/options.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct MutationPlan {
  std::vector<std::string> operators; // names, in the order of model/operators.h
  std::vector<std::string> mutants;   // ids; empty: all
  std::string since;                  // git ref; empty: all lines
  std::optional<unsigned> sample;
  unsigned seed = 1;
  Shard shard;
  unsigned repeat = 3;
  double timeout_factor = 10;
  std::optional<double> threshold; // percent
  bool all_cases = false, fresh = false;
  bool uses_simulator = true;     // for survivors, where there is one
  std::filesystem::path store;    // absolute
  std::optional<unsigned> verify; // so many mutants; 0: all
};

// Relative paths in `described` are relative to `folder`; the default store lies beside
// `kernel_dir`. Throws UsageError.
MutationPlan make_mutation_plan(const Mutation& described, const MutationOptions& options,
                                const std::filesystem::path& folder,
                                const std::filesystem::path& kernel_dir);

// "mutation.json"; of a shard "mutation-1-of-4.json".
std::string default_result(const MutationPlan& plan);

} // namespace gputest::runtime
