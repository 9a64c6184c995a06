// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the comments of kernels' sources that leave out mutants and coverage outcomes
// (model/suppressions/ignore_comments.h).
#pragma once

#include "frontend/file_names.h"
#include "model/suppressions/ignore_comments.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace gputest::frontend {

using model::IgnoreComment;

// Reads the comments of all files, in order. Fails with file, line and column for names that do not
// exist, and for regions that do not end.
llvm::Expected<std::vector<IgnoreComment>>
read_ignore_comments(const std::vector<std::string>& files, const FileNames& names);

} // namespace gputest::frontend
