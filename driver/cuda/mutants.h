// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutants of a CUDA program: those of all its sources, which ones are wanted, and what is known
// of them without a run.
#pragma once

#include "driver/cuda/records.h"
#include "driver/cuda/switch.h"
#include "model/mutation/mutation.h"
#include "program/changed_since.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::driver {

class CudaMutants {
public:
  // `root`: the folder of the sources' names.
  // `since`: only mutants on lines that have changed since this commit; empty: all.
  CudaMutants(const std::filesystem::path& root, const std::string& since)
      : root_(root), changed_(since, root) {}

  // Adds the mutants of a source that are of the operators of `mutation`.
  void add(const UnitRecord& unit, model::Mutation& mutation);
  // Keeps the mutants with these ids. Returns an id that there is not; empty: there are all.
  static std::string keep(const std::vector<std::string>& ids, model::Mutation& mutation);
  static void keep_sample(std::size_t count, unsigned seed, model::Mutation& mutation);

  // Marks the results that are equivalent, or duplicates, in all of their sources. A duplicate's
  // first mutant must be one of these results, too, and change the same sources.
  void mark(model::Mutation& mutation,
            const std::function<bool(const model::MutantResult&)>& is_wanted) const;
  // Returns whether the verdict is known without a run, and then sets it.
  static bool decide(model::MutantResult& result);
  // Compares the survivors of sources with very many mutants, none of which has been compared yet.
  // `scratch`: a folder for files.
  void compare_survivors(model::Mutation& mutation, const std::filesystem::path& scratch);

  const Switch& switch_of(const model::Mutant& mutant) const;

private:
  std::filesystem::path root_;
  program::ChangedSince changed_;
  std::map<std::string, Switch> switches_;       // by file and id
  std::set<std::filesystem::path> not_compared_; // sources with very many mutants
};

} // namespace gputest::driver
