// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How sources of the host alone are compiled.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/process.h"
#include "cuda/compiler/toolkit.h"

#include <filesystem>
#include <string>

namespace gputest::cuda::compiler {

// Options that name warnings of GCC alone are no errors.
constexpr const char* kWarningsOfGcc = "-Wno-error=unknown-warning-option";

// What Clang is started with for C++, and for linking.
Arguments host_arguments(const Command& command, const Toolkit& toolkit);

// The same for a source of C, which nvcc, too, gives to a compiler of C.
Arguments arguments_for_c(const Command& command, const Toolkit& toolkit, const std::string& source,
                          const std::filesystem::path& object);

} // namespace gputest::cuda::compiler
