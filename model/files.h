// Writing files: never half of one, and JSON that people can read and compare.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::model {

// A file's bytes; nullopt if it cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& file);

// Through a temporary file and a rename: whoever reads sees one writer's text, whole, however many
// threads and processes write. Throws std::runtime_error naming the file.
void write_atomically(const std::filesystem::path& file, std::string_view text);

// JSON as text, ending in a newline: one line for each key at the top, and one for each element of
// an array there, so that a changed element is a changed line. `levels` says how deep such lines
// go. Bytes that are no UTF-8 become U+FFFD.
std::string pretty(const nlohmann::ordered_json& json, int levels = 2);

} // namespace gputest::model
