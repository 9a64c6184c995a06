// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutants of a CUDA program: those of all its sources, which ones are wanted, and what is known
// of them without a run.
#pragma once

#include "model/mutation/mutation.h"
#include "program/cuda/records.h"
#include "program/cuda/switch.h"
#include "program/wanted.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

class CudaMutants {
public:
  // `root`: the folder of the sources' names.
  CudaMutants(const std::filesystem::path& root, WantedMutants wanted)
      : root_(root), filter_(std::move(wanted), root) {}

  // Adds the mutants of a source that are wanted.
  void add(const UnitRecord& unit, model::Mutation& mutation);
  // Draws the sample.
  void draw(model::Mutation& mutation) const;
  void keep_shard(model::Mutation& mutation) const { filter_.keep_shard(mutation); }
  void expect_matches(const std::string& program) const { filter_.expect_matches(program); }

  // Marks the results that are equivalent, or duplicates, in all of their sources. A duplicate's
  // first mutant must be one of these results, too, and change the same sources.
  void mark(model::Mutation& mutation,
            const std::function<bool(const model::MutantResult&)>& is_wanted) const;
  // Returns whether the verdict is known without a run, and then sets it.
  static bool decide(model::MutantResult& result);
  // Compares the survivors of sources with very many mutants, none of which has been compared yet.
  // `passes`: the file of gputest-passes. `scratch`: a folder for files.
  void compare_survivors(model::Mutation& mutation, const std::filesystem::path& passes,
                         const std::filesystem::path& scratch);

  const Switch& switch_of(const model::Mutant& mutant) const;

private:
  std::filesystem::path root_;
  MutantFilter filter_;
  std::map<std::string, Switch> switches_;       // by file and id
  std::set<std::filesystem::path> not_compared_; // sources with very many mutants
};

} // namespace gputest::program
