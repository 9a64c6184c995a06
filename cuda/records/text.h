// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the environment and writes strings of JSON.
#pragma once

#include <string>

namespace gputest::cuda {

std::string environment(const char* name); // empty: not set
// Returns the text as a string of JSON, with its quotes.
std::string quoted(const std::string& text);

} // namespace gputest::cuda
