// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the parts that SARIF files of all kinds share.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gputest::report {

using Json = nlohmann::ordered_json;

// Returns an artifactLocation, relative to `root` if the file is below it.
Json sarif_artifact(const std::string& file, const std::filesystem::path& root);

// Returns SARIF 2.1.0 with one run that has these rules and results.
std::string sarif_log(Json rules, Json results);

// Returns one log with the runs of all these logs.
std::string join_sarif(const std::vector<std::string>& logs);

} // namespace gputest::report
