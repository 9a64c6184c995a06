// The Python literals that the header of a .npy file is made of.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace gputest::runtime {

// Dictionaries become objects, lists and tuples arrays. Knows strings, integers, True, False and
// None. Throws std::invalid_argument.
nlohmann::ordered_json parse_python_literal(std::string_view text);

} // namespace gputest::runtime
