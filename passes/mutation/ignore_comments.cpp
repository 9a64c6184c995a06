// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/ignore_comments.h"

#include "frontend/ignore_comments.h"

#include <algorithm>

namespace gputest::passes::mutation {

llvm::Error ignore_by_comments(const std::vector<std::string>& files,
                               const frontend::FileNames& names,
                               std::vector<model::Mutant>& mutants) {
  auto comments = frontend::read_ignore_comments(files, names);
  if (!comments)
    return comments.takeError();
  for (model::Mutant& mutant : mutants) {
    if (mutant.kind == model::MutantKind::Launch)
      continue;
    for (const model::IgnoreComment& comment : *comments) {
      // A mutant that several operators make is left out when all of them are.
      if (!comment.covers(mutant.file, mutant.line) ||
          !std::ranges::all_of(mutant.operators,
                               [&](const std::string& one) { return comment.ignores(one); }))
        continue;
      mutant.ignored = true;
      mutant.ignore_reason = comment.reason;
    }
  }
  return llvm::Error::success();
}

} // namespace gputest::passes::mutation
