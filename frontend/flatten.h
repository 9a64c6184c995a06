// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preprocessing to a FlatSource.
#pragma once

#include "frontend/flat_source.h"
#include "frontend/source_options.h"

#include <llvm/Support/Error.h>

namespace gputest::frontend {

// Runs Clang's preprocessor. Macros of OpenCL C itself (CLK_LOCAL_MEM_FENCE, M_PI, FLT_MAX, …) stay
// names, because the device defines their values, unless the file's conditionals test their values.
// The text has `#line` directives and pragmas. Fails with compiler-style messages: file not found,
// #error, unbalanced conditionals, ….
llvm::Expected<FlatSource> flatten(const SourceOptions& options);

} // namespace gputest::frontend
