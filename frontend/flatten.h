// Preprocessing to a FlatSource.
#pragma once

#include "frontend/flat_source.h"
#include "frontend/source_options.h"

#include <llvm/Support/Error.h>

namespace gputest::passes {

// Runs Clang's preprocessor. Macros of OpenCL C itself (CLK_LOCAL_MEM_FENCE, M_PI, FLT_MAX, …) stay
// names, because the device defines their values. The exception are those whose values the file's
// conditionals ask for. The text has the `#line` directives and the pragmas. Fails with
// compiler-style messages: file not found, #error, unbalanced conditionals, ….
llvm::Expected<FlatSource> flatten(const SourceOptions& options);

} // namespace gputest::passes
