// A mutant as a patch of the author's file.
#pragma once

#include "frontend/file_names.h"
#include "passes/mutation/mutants.h"

#include <llvm/Support/Error.h>

namespace gputest::passes::mutation {

// A unified diff. Where a change lies in a macro's body, the invocation is replaced by its
// expansion with the change. Fails when the file cannot be read.
llvm::Expected<std::string> patch(const FlatSource& source, const FileNames& names,
                                  const std::vector<TextChange>& changes);

} // namespace gputest::passes::mutation
