// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shards are parts of an analysis's work, for several machines or several tests of CTest. They
// share nothing: each has a folder with its own results. The run of the whole puts the results
// together, and does the work of missing shards itself.
#pragma once

#include "model/settings.h"
#include "model/shard.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace gputest::runtime {

struct Options;
struct Plan;
struct KernelDescription;

using model::Shard;

// Returns the shard that --shard names, such as "2/8"; without --shard, the whole. Throws
// UsageError.
Shard shard_of(const model::Settings& settings);

// Returns the folder of a shard: 2-of-8 below `shards`.
inline std::filesystem::path folder_of(const std::filesystem::path& shards, const Shard& shard) {
  return shards / (std::to_string(shard.number) + "-of-" + std::to_string(shard.of));
}

// Returns the result file of a shard, such as shards/2-of-8/schedules-2-of-8.json beside `whole`,
// the result file of the whole.
std::filesystem::path result_of(const std::filesystem::path& whole, const Shard& shard);

// For AnalysisRun::prepare: puts a shard's result into its folder.
void prepare_shard(Plan& plan, const Options& options);

// Returns a hash of what a shard's results belong to: the kernel's text, how it is built, its
// cases, and the settings of the analysis. Results with another hash are not taken. It is the same
// on all machines.
std::string content_of(const Plan& plan, const KernelDescription& description);
// Returns content_of() with this program, for analyses in which its functions judge the outputs.
std::string content_with_program(const Plan& plan, const KernelDescription& description);

// The functions of an analysis for its shards. `result` is the file of the shard.
struct ShardWork {
  std::string_view format; // format of the results
  // Runs a shard. Returns an exit code.
  std::function<int(const Shard& shard, const std::filesystem::path& result)> run;
  // Adds what a shard has found.
  std::function<void(const Shard& shard, const std::filesystem::path& result)> take;
};

// Takes the results of all shards, in order. Runs a shard first if its results are missing, cut
// off, or of another content or format. Returns 0, or an exit code other than 0 where a shard
// leaves no results even so.
int gather_shards(const Plan& plan, unsigned shards, const std::string& content,
                  const ShardWork& work);

} // namespace gputest::runtime
