// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a mutant as a patch of the author's file.
#pragma once

#include "frontend/file_names.h"
#include "passes/mutation/mutants.h"

#include <llvm/Support/Error.h>

namespace gputest::passes::mutation {

// Returns a unified diff of each file that changes. If a change touches a macro's body, or an
// argument that is used more than once, the expansion with the change replaces the invocation.
// Fails if a file cannot be read, if a change begins in one file and ends in another, or if the
// file is included more than once.
llvm::Expected<std::string> patch(const frontend::FlatSource& source,
                                  const frontend::FileNames& names,
                                  const std::vector<TextChange>& changes);

} // namespace gputest::passes::mutation
