// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells which mutants are on lines that have changed since a commit (SINCE).
#pragma once

#include "model/mutation/mutants.h"
#include "runtime/analyses/mutation/since.h"

#include <filesystem>
#include <set>
#include <string>

namespace gputest::program {

class ChangedSince {
public:
  // `ref`: a commit, tag or branch; empty: everything counts as changed. `root`: the folder of
  // relative names of files.
  ChangedSince(std::string ref, std::filesystem::path root)
      : ref_(std::move(ref)), root_(std::move(root)) {}

  const std::string& ref() const { return ref_; }

  // Returns whether the mutant is on such a line. Asks git, once for each file. What is in no file
  // of the project has changed. Throws model::SettingError where git cannot tell.
  bool has(const model::Mutant& mutant);

private:
  std::string ref_;
  std::filesystem::path root_;
  std::set<std::string> asked_; // names of files
  runtime::ChangedLines changed_;
};

} // namespace gputest::program
