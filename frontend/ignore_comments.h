// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comments in the kernel's source that leave out mutants and coverage outcomes, with a reason:
//
//     x = a + b; // gputest: ignore[arithmetic_replacement,constant_replacement] only an estimate
//     if (n > kLimit) // gputest: ignore[branch] the device refuses such sizes
//     // gputest: ignore debugging aid            (alone in its line: the next line)
//     // gputest: ignore-begin[loop_boundary] padded to a multiple of 16
//     // gputest: ignore-end
//
// The brackets hold mutation operators, their groups, and criteria of coverage: statement, branch,
// condition, loop, or `coverage` for the four. Without brackets the comment applies to all.
#pragma once

#include "frontend/file_names.h"
#include "model/sites.h"

#include <llvm/Support/Error.h>

#include <set>
#include <string>
#include <vector>

namespace gputest::passes {

struct IgnoreComment {
  std::string file; // as FileNames names it
  unsigned first_line = 0, last_line = 0;
  bool everything = false;
  std::vector<std::string> operators{};
  std::set<model::Criterion> criteria{};
  std::string reason{};

  bool covers(const std::string& in, unsigned line) const {
    return in == file && line >= first_line && line <= last_line;
  }
  bool ignores(const std::string& mutation_operator) const;
  bool ignores(model::Criterion criterion) const;
};

// Reads the comments of all files, in order. Fails with file, line and column for names that do not
// exist, and for regions that do not end.
llvm::Expected<std::vector<IgnoreComment>>
read_ignore_comments(const std::vector<std::string>& files, const FileNames& names);

} // namespace gputest::passes
