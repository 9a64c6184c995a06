// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of --mutation.
#pragma once

#include "model/settings.h"
#include "runtime/plan/shards.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct MutationPlan {
  std::vector<std::string> operators; // names, in the order of model/operators.h
  std::vector<std::string> mutants;   // ids; empty: all
  std::vector<std::string> functions; // names; empty: all
  std::vector<std::string> files;     // patterns (model/file_patterns.h); empty: all
  std::string since;                  // git ref; empty: all lines
  std::optional<unsigned> sample;
  unsigned seed = 1;
  Shard shard;
  unsigned shards = 1; // how many shards there are, as SHARDS says
  unsigned repeat = 1;
  double timeout_factor = 1;
  std::optional<double> threshold; // percent
  bool all_cases = false, fresh = false;
  std::optional<double> time_limit;    // seconds after which no mutant begins
  bool uses_simulator = true;          // for survivors, where a simulator is there
  std::filesystem::path shards_folder; // holds the folder of each shard; beside the result
  std::filesystem::path store;         // absolute
  std::optional<unsigned> verify;      // --verify: number of mutants; 0: all
};

// Reads the settings. The default store lies beside `kernel_dir`. Throws UsageError.
MutationPlan make_mutation_plan(const model::Settings& settings,
                                const std::filesystem::path& kernel_dir);

bool is_shard(const MutationPlan& plan);

// Returns mutation.json in the kernel's folder; for a shard shards/1-of-4/mutation-1-of-4.json
// there.
std::filesystem::path default_result(const MutationPlan& plan,
                                     const std::filesystem::path& kernel_dir);

// Returns the folder of a shard, such as shards/1-of-4.
std::filesystem::path folder_of(const MutationPlan& plan, const Shard& shard);

} // namespace gputest::runtime
