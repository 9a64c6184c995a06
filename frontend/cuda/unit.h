// CUDA C++ for passes: a file as its author wrote it, in which a pass inserts in place.
//
// The text is not preprocessed: it keeps its directives and the includes of others' headers, which
// the compiler that reads it next has in its own way. Two things are written out, so that passes
// need no special case for them: the macros of the author that are used in device code, each in the
// line where it is used, and those headers of the author that have device code, with `#line`.
#pragma once

#include "frontend/parse.h"

#include <llvm/Support/Error.h>

#include <functional>
#include <string>
#include <vector>

namespace gputest::passes {

struct CudaOptions {
  std::string file; // the .cu file
  // How the file is compiled for the device: arguments of Clang's driver, the program first,
  // without the file.
  std::vector<std::string> arguments;
  // A kernel as users name it (named_kernel.h), which is made of its template; empty: none.
  std::string kernel{};
  // As SourceOptions::source_root.
  std::string source_root;
  std::string headers{}; // the folder of the compiler's own, with a / behind it
};

// Fails with Clang's messages.
llvm::Expected<FlatSource> read_cuda(const CudaOptions& options);

// Parses `source` for the device and calls `use` while the tree exists. The tree's functions are
// those with device code that the author wrote: templates as they are written, methods, and
// lambdas. Fails as parse() does.
llvm::Error parse_cuda(const FlatSource& source, const CudaOptions& options,
                       const std::function<llvm::Error(const Tree&)>& use);

} // namespace gputest::passes
