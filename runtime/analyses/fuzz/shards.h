// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts together what the shards of --fuzz have found.
#pragma once

#include "runtime/plan/plan.h"
#include "runtime/plan/shards.h"

#include <functional>

namespace gputest::runtime {

// Takes the results of all shards, and runs the shards that have left none (ShardWork::run). Prints
// each failure once and writes plan.result. Returns 1 where there are failures, or the exit code of
// a shard that cannot run.
int run_whole(
    const Plan& plan, unsigned shards, const std::string& content,
    const std::function<int(const Shard& shard, const std::filesystem::path& result)>& run);

} // namespace gputest::runtime
