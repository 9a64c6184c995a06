// What shards of --fuzz have found, put together.
#pragma once

#include "runtime/plan/plan.h"
#include "runtime/plan/shards.h"

#include <functional>

namespace gputest::runtime {

// Takes the results of all shards, and runs those that have left none (ShardWork::run). Prints each
// failure once, writes plan.result. Returns 1 where there are failures, and the exit code of a
// shard that cannot run.
int run_whole(
    const Plan& plan, unsigned shards, const std::string& content,
    const std::function<int(const Shard& shard, const std::filesystem::path& result)>& run);

} // namespace gputest::runtime
