// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves out mutants by comments (frontend/ignore_comments.h).
#pragma once

#include "frontend/file_names.h"
#include "model/mutation/mutants.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace gputest::passes::mutation {

// Marks the mutants that comments in `files` name. Fails with file, line and column for operators
// that do not exist, and for regions that do not end.
llvm::Error ignore_by_comments(const std::vector<std::string>& files,
                               const frontend::FileNames& names,
                               std::vector<model::Mutant>& mutants);

} // namespace gputest::passes::mutation
