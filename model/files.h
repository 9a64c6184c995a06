// Writing files so that nobody ever sees half of one.
#pragma once

#include <filesystem>
#include <string_view>

namespace gputest::model {

// Through a temporary file and a rename. Throws std::runtime_error naming the file.
void write_atomically(const std::filesystem::path& file, std::string_view text);

} // namespace gputest::model
