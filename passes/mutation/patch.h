// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a changed source, such as a mutant, as a patch of the author's file.
#pragma once

#include "frontend/file_names.h"
#include "passes/mutation/mutants.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace gputest::passes::mutation {

struct PatchedFile {
  std::string path, before, after; // texts
};

// Returns the files that change. If a change touches a macro's body, or an argument that is used
// more than once, the expansion with the change replaces the invocation. Fails if a file cannot be
// read, if a change begins in one file and ends in another, or if the file is included more than
// once.
llvm::Expected<std::vector<PatchedFile>> patched(const frontend::FlatSource& source,
                                                 const std::vector<TextChange>& changes);

// Returns a unified diff of each file.
std::string diff_of(const std::vector<PatchedFile>& files, const frontend::FileNames& names);

// Both together.
llvm::Expected<std::string> patch(const frontend::FlatSource& source,
                                  const frontend::FileNames& names,
                                  const std::vector<TextChange>& changes);

} // namespace gputest::passes::mutation
