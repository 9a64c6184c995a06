// How Clang compiles a CUDA file.
#pragma once

#include "frontend/cuda/unit.h"

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <string>
#include <vector>

namespace gputest::passes {

// Arguments of `clang -cc1` for `options`.
llvm::Expected<std::vector<std::string>> compiler_arguments(const CudaOptions& options);

// The files that there are, with those of the options' -ivfsoverlay in their places.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const CudaOptions& options);
// The same, with `text` in the place of the options' one.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> in_place_of_file(const CudaOptions& options,
                                                                 llvm::StringRef text);

} // namespace gputest::passes
