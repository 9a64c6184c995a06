// gputest report --against: results of another time, from a folder or kept for a commit.
#pragma once

#include "report/index/comparison.h"
#include "store/store.h"

#include <filesystem>
#include <string>

namespace gputest::driver {

// Keeps the results of a commit, of which the name ends with "-dirty" where sources differ from it:
// then nothing is kept. The latest 20 commits are kept.
void keep_results(store::Store& store, const report::Index& index);

struct Against {
  report::ResultStates states;
  std::string since; // "v1.0 (1a2b3c4d5e6f)"
};

// `what`: a folder with results, or whatever Git takes for a commit in `sources`, with results in
// `store`, a file. Throws CommandError: neither, or results of it are not kept.
Against results_of(const std::string& what, const std::filesystem::path& sources,
                   const std::filesystem::path& store);

} // namespace gputest::driver
