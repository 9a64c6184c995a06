// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the environment and writes strings of JSON.
#pragma once

#include "model/whole_number.h"

#include <cstdint>
#include <string>

namespace gputest::cuda {

std::string environment(const char* name); // empty: not set
// Returns the whole number that a variable has, or `otherwise` if it is not set. Ends the program
// with a message for any other text, because nobody would notice a missing limit.
std::uint64_t environment_number(const char* name, model::WholeRange range,
                                 std::uint64_t otherwise);
// Ends the program with a message: the variable has a value that it cannot have.
[[noreturn]] void refuse_environment(const std::string& message);

// Returns the text as a string of JSON, with its quotes.
std::string quoted(const std::string& text);

} // namespace gputest::cuda
