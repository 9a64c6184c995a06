// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the mutants of a program that are wanted, the same way for every kind of program.
#pragma once

#include "model/mutation/mutation.h"
#include "model/shard.h"
#include "program/changed_since.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

struct WantedMutants {
  std::vector<std::string> operators; // names, in the order of model/mutation/operators.h
  std::vector<std::string> ids{};     // empty: all
  // Patterns (model/file_patterns.h) of files, and of the names of kernels and functions that have
  // the mutants. Empty: all.
  std::vector<std::string> files{}, functions{};
  std::string since{};              // only lines that changed since this commit; empty: all
  std::optional<unsigned> sample{}; // so many, drawn by `seed`
  unsigned seed = 1;
  model::Shard shard{}; // this part of the sample
};

class MutantFilter {
public:
  // `root`: the folder of relative names of files.
  MutantFilter(WantedMutants wanted, const std::filesystem::path& root)
      : wanted_(std::move(wanted)), changed_(wanted_.since, root) {}

  const WantedMutants& wanted() const { return wanted_; }

  // Returns whether the mutant is wanted, but for sample and shard. Throws as ChangedSince::has().
  bool takes(const model::Mutant& mutant);
  // Throws RunRefused for a file, function or id that none of the program's mutants has, after
  // takes() was asked about all of them: who misspells one would measure nothing.
  void expect_matches(const std::string& program) const;

  // Returns the sample of these mutants, in their order. Sets population and seed of `mutation`.
  std::vector<const model::Mutant*> drawn(std::vector<const model::Mutant*> mutants,
                                          model::Mutation& mutation) const;
  // Leaves out results of other shards, after what is drawn is known.
  void keep_shard(model::Mutation& mutation) const;

private:
  bool is_in_shard(const model::Mutant& mutant) const;

  WantedMutants wanted_;
  ChangedSince changed_;
  std::set<std::string> files_, functions_; // those of all mutants
  std::set<std::string> taken_;             // ids
};

} // namespace gputest::program
