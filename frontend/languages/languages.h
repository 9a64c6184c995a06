// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and parses a file in the language that its name's ending tells (.cl, .cu).
#pragma once

#include "frontend/flat_source.h"
#include "frontend/parse.h"
#include "frontend/source_options.h"

#include <llvm/Support/Error.h>

#include <functional>

namespace gputest::frontend {

// Returns the text that passes edit, as flatten() and read_cuda() do. Fails with compiler-style
// messages.
llvm::Expected<FlatSource> read_file(const SourceOptions& options);

// Parses a file of any language, as parse() and parse_cuda() do.
llvm::Error parse_file(const FlatSource& source, const SourceOptions& options,
                       const std::function<llvm::Error(const Tree&)>& use);

} // namespace gputest::frontend
