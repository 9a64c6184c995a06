// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the Python literals in the header of a .npy file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace gputest::runtime {

// Returns the literal as JSON. Dictionaries become objects, and lists and tuples become arrays.
// Knows strings, integers, True, False and None. Throws std::invalid_argument.
nlohmann::ordered_json parse_python_literal(std::string_view text);

} // namespace gputest::runtime
