// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers of libraries with a fault that Clang reports and nvcc does not.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// Returns texts without the faults, with the same lines, for the headers of libraries that have one
// of them. `folders`: those of -I and -isystem; the system's are looked at, too.
std::map<std::filesystem::path, std::string>
mended_headers(const std::vector<std::string>& folders);

} // namespace gputest::cuda::compiler
