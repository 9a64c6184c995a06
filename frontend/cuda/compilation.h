// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments and files with which Clang compiles a CUDA file.
#pragma once

#include "frontend/cuda/unit.h"

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gputest::frontend {

// Returns the arguments of `clang -cc1` for `options`. Fails with the messages of Clang's driver.
llvm::Expected<std::vector<std::string>> compiler_arguments(const CudaOptions& options);

// Leaves what is kept of a header out of the declarations of `context` that visitors come to, if it
// was read with one. Nothing of it is the user's, and Clang reads each of its many declarations
// from a file once it is asked for it.
void visit_no_kept_header(clang::ASTContext& context, const std::vector<std::string>& arguments);

// The real file system under the files of the options' -ivfsoverlay. Texts are what Clang accepts
// (accepted_texts.h), with special registers marked (special_registers.h).
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const CudaOptions& options);
// The same, but the file `options.file` has the content `text`, mended as `options.refused` says.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> in_place_of_file(const CudaOptions& options,
                                                                 llvm::StringRef text);

// The same files, but these have these texts.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
with_texts(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
           const std::map<std::string, std::string>& texts);

// Calls `read`, which reads the file with `options`, until it takes what nvcc takes: each time with
// more places mended (refused.h), and at last without the kept header, behind which Clang
// refuses some code. `text`: the file's content; null: what is in the file. Fails as the last call.
llvm::Error read_as_nvcc(CudaOptions& options, const std::string* text,
                         const std::function<llvm::Error()>& read);

} // namespace gputest::frontend
