// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads CUDA C++ for passes, which insert into the text as its author wrote it.
//
// The text is not preprocessed: it keeps its directives and the #includes of others' headers,
// because the compiler that reads it next has its own versions of them. Two things are written out,
// so that passes need no special case for them. The author's macros in device code are expanded on
// the line of their use, and the author's headers with device code are included with `#line`.
#pragma once

#include "frontend/cuda/refused.h"
#include "frontend/parse.h"

#include <llvm/Support/Error.h>

#include <functional>
#include <string>
#include <vector>

namespace gputest::frontend {

struct CudaOptions {
  std::string file; // the .cu file
  // The arguments of Clang's driver that compile the file for the device: the program first,
  // without the file.
  std::vector<std::string> arguments;
  std::string appended{}; // code that follows the file's text; may be empty
  // A kernel as users name it (named_kernel.h), whose template is instantiated; empty: none.
  std::string kernel{};
  // As SourceOptions::source_root.
  std::string source_root;
  std::string headers{};        // the folder of the toolkit's own headers, with a / at its end
  bool uses_kept_header = true; // kept_header.h
  // What Clang refused in files as it read them before. read_as_nvcc() finds them.
  std::vector<cuda::RefusedPlaces> refused{};
};

// Fails with Clang's messages.
llvm::Expected<FlatSource> read_cuda(const CudaOptions& options);

// Parses `source` for the device and calls `use` while the tree exists. The tree's functions are
// those with device code that the author wrote: templates as they are written, methods, and
// lambdas. Fails as parse() does.
llvm::Error parse_cuda(const FlatSource& source, const CudaOptions& options,
                       const std::function<llvm::Error(const Tree&)>& use);

} // namespace gputest::frontend
