// What shards of `gputest memory` found, for the run of the whole: it takes their worst schedule of
// each case, and the worst of their generated cases.
#pragma once

#include "memory/generate/generate.h"
#include "memory/kernel.h"
#include "memory/search.h"

#include <string>
#include <vector>

namespace gputest::driver {

class TakenShards {
public:
  // `files`: memory.json of each shard; its --replays are in the folder "memory" beside it.
  // `cases`: of the user's. Throws model::FormatError and UsageError.
  TakenShards(const std::vector<std::string>& files, const std::vector<memory::NamedLaunch>& cases,
              const memory::Kernel& kernel, const memory::LaunchDefaults& defaults);

  // Of a case of the user's, by its place. Of several that lose as much, the one that a run without
  // shards would have taken.
  memory::WarpChoice worst_of(std::size_t index, const memory::TriedSchedules& tried) const;

  // All that they generated, and the `keep` worst cases. `progress` is that of the shard that found
  // most issues.
  memory::Generated generated(std::size_t keep) const;

private:
  struct Found {
    memory::WarpChoice choice;
    double share = 0; // of the cycles, that is lost
  };

  std::vector<std::vector<Found>> found_; // by case of the user's: of each shard
  std::vector<memory::Generated> generated_;
};

} // namespace gputest::driver
