// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/shards.h"

#include "runtime/plan/shards.h"
#include "store/store.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// Returns the stores of all shards, including those of runs with another number of shards, whose
// outcomes count as well.
std::vector<fs::path> stores_below(const fs::path& folder) {
  std::vector<fs::path> stores;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    fs::path store = entry.path() / "results.db";
    if (fs::exists(store, ignored) && store::has_outcomes(store))
      stores.push_back(std::move(store));
  }
  std::ranges::sort(stores);
  return stores;
}

std::string missing(const fs::path& folder, unsigned shards, const std::vector<fs::path>& stores) {
  std::string names;
  for (unsigned number = 1; shards > 1 && number <= shards; ++number) {
    const Shard shard{number, shards};
    if (std::ranges::find(stores, folder_of(folder, shard) / "results.db") == stores.end())
      names += fmt::format("{}{}/{}", names.empty() ? "" : ", ", shard.number, shard.of);
  }
  return names;
}

} // namespace

void take_shards(const fs::path& into, const fs::path& folder, unsigned shards) {
  const std::vector<fs::path> stores = stores_below(folder);
  std::size_t outcomes = 0, conflicts = 0;
  if (!stores.empty()) {
    store::Store all(into);
    for (const fs::path& store : stores) {
      const store::Merged merged = all.merge(store);
      outcomes += merged.changed;
      conflicts += merged.conflicts.size();
    }
    fmt::print("{} outcomes taken from {} shards\n", outcomes, stores.size());
  }
  if (conflicts != 0)
    fmt::print("warning: of {} outcomes shards say different things, and the newest stays; "
               "`gputest merge` names them\n",
               conflicts);
  if (const std::string names = missing(folder, shards, stores); !names.empty())
    fmt::print("nothing is there of the shards {}: their mutants run here\n", names);
}

} // namespace gputest::runtime
