// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest report --against: finds results of another time, in a folder or kept for a commit.
#pragma once

#include "report/index/comparison.h"
#include "store/store.h"

#include <filesystem>
#include <string>

namespace gputest::driver {

// Keeps the results of the index's commit. Does nothing where the commit's name ends with "-dirty",
// because sources differ from it. The latest 20 commits are kept.
void keep_results(store::Store& store, const report::Index& index);

struct Against {
  report::ResultStates states;
  std::string since; // "v1.0 (1a2b3c4d5e6f)"
};

// Returns the results of `what`: a folder with results, or whatever Git takes for a commit in
// `sources`, with results in the file `store`. Throws CommandError where it is neither, or its
// results are not kept.
Against results_of(const std::string& what, const std::filesystem::path& sources,
                   const std::filesystem::path& store);

} // namespace gputest::driver
