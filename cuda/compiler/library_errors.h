// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages about libraries that are too new for the toolkit.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// Whether one of the folders of -I and -isystem has Thrust, CUB or libcu++.
bool have_library(const std::vector<std::string>& folders);

// Returns one message in the place of Clang's, if the first error is that a header of a library
// uses a name that the toolkit does not have. It has all such names. Returns `messages` otherwise.
std::string with_missing_names(const std::string& messages);

} // namespace gputest::cuda::compiler
