// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings what shards of `gputest memory` found to the run of the whole. It takes their worst
// schedule of each case, and the worst of their generated cases.
#pragma once

#include "memory/generate/generate.h"
#include "memory/kernel.h"
#include "memory/search.h"

#include <string>
#include <vector>

namespace gputest::driver {

class TakenShards {
public:
  // Reads the files. `files`: memory.json of each shard, whose --replays are in the folder "memory"
  // beside it. `cases`: the user's. Throws model::FormatError and UsageError.
  TakenShards(const std::vector<std::string>& files, const std::vector<memory::NamedLaunch>& cases,
              const memory::Kernel& kernel, const memory::LaunchDefaults& defaults);

  // Returns the worst choice for the user's case at `index`. If several lose as much, it is the one
  // that a run without shards would have taken.
  memory::WarpChoice worst_of(std::size_t index, const memory::TriedSchedules& tried) const;

  // Returns all that the shards generated, with as many of the worst cases as the settings say.
  // `progress` is that of the shard that found most issues.
  memory::Generated generated(const memory::GenerateSettings& settings) const;

private:
  struct Found {
    memory::WarpChoice choice;
    double share = 0; // share of the cycles that is lost
  };

  std::vector<std::vector<Found>> found_; // by the user's case, for each shard
  std::vector<memory::Generated> generated_;
};

} // namespace gputest::driver
