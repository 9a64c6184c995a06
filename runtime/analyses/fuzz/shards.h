// What shards of --fuzz have found, put together.
#pragma once

#include "runtime/plan/plan.h"
#include "runtime/plan/shards.h"

#include <functional>

namespace gputest::runtime {

// Runs a shard whose result is to be the file; returns its exit code.
using RunShard = std::function<int(const std::filesystem::path& result, const Shard& shard)>;

// Takes the results of all shards that belong to `content`, and has those run that have none.
// Prints each failure once, writes plan.result. Returns 1 where there are failures, and the exit
// code of a shard that cannot run.
int run_whole(const Plan& plan, unsigned shards, const std::string& content, const RunShard& run);

} // namespace gputest::runtime
