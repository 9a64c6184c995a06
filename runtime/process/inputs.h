// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the inputs that a kept file was made of, to tell whether it must be made again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::runtime {

// Returns the files after the colon of a make rule; empty: the file cannot be read.
std::vector<std::filesystem::path> files_of_rule(const std::filesystem::path& depfile);

// Returns a record: for each file, a line with the fingerprint of its content and its name.
std::string record_inputs(const std::vector<std::filesystem::path>& files);

// Returns whether all files of such a record are unchanged; false for a record without files.
bool are_unchanged(const std::string& record);

} // namespace gputest::runtime
