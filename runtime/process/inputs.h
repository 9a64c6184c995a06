// What a file that is kept was made of: whether it must be made again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime {

// The files after the colon of a make rule; none: it cannot be read.
std::vector<std::filesystem::path> files_of_rule(const std::filesystem::path& depfile);

// A line with the fingerprint of each file's content and its name.
std::string record_inputs(const std::vector<std::filesystem::path>& files);

// Whether all files of such a record are what they were. A record without files says nothing.
bool are_unchanged(const std::string& record);

} // namespace gputest::runtime
