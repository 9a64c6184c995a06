// Shards: parts of an analysis's work, for several machines or several tests of CTest. Parts share
// nothing: each has a folder with results of its own. The run of the whole puts them together, and
// does itself what none has done.
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

// What --shard says, "2/8"; without it the whole. Throws UsageError.
Shard shard_of(const model::Settings& settings);

// The folder of a shard, 2-of-8 below `shards`.
std::filesystem::path folder_of(const std::filesystem::path& shards, const Shard& shard);

// The result of a shard, such as shards/2-of-8/schedules-2-of-8.json, where that of the whole is to
// be `whole`.
std::filesystem::path result_of(const std::filesystem::path& whole, const Shard& shard);

// AnalysisRun::prepare: a shard's result is in its folder.
void prepare_shard(Plan& plan, const Options& options);

// A hash of what results of a shard belong to: the kernel's text, how it is built, its cases, and
// what the analysis is told. Results with another one are not taken. Equal on all machines.
std::string content_of(const Plan& plan, const KernelDescription& description);

// What an analysis does with its shards. `result`: the file of that shard.
struct ShardWork {
  std::string_view format; // of results
  // Runs it; returns an exit code.
  std::function<int(const Shard& shard, const std::filesystem::path& result)> run;
  // Adds what it has found.
  std::function<void(const Shard& shard, const std::filesystem::path& result)> take;
};

// Takes the results of all shards in order, and first runs each that has left none, one that is cut
// off, or one of another content or format. Returns 0, or the exit code of a shard that leaves none
// even so.
int gather_shards(const Plan& plan, unsigned shards, const std::string& content,
                  const ShardWork& work);

} // namespace gputest::runtime
