// A mutant as a patch of the author's file.
#pragma once

#include "frontend/file_names.h"
#include "passes/mutation/mutants.h"

#include <llvm/Support/Error.h>

namespace gputest::passes::mutation {

// A unified diff of each file that changes. Where a change touches a macro's body, or an argument
// that is used more than once, the invocation is replaced by its expansion with the change. Fails
// when a file cannot be read, where one change begins in one file and ends in
// another, and where the file is included more than once.
llvm::Expected<std::string> patch(const FlatSource& source, const FileNames& names,
                                  const std::vector<TextChange>& changes);

} // namespace gputest::passes::mutation
