// Parts that SARIF files of all kinds share.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gputest::report {

using Json = nlohmann::ordered_json;

// An artifactLocation. It is relative to `root` if the file is below it.
Json sarif_artifact(const std::string& file, const std::filesystem::path& root);

// SARIF 2.1.0 with one run of these rules and results.
std::string sarif_log(Json rules, Json results);

// One log with the runs of all of these.
std::string join_sarif(const std::vector<std::string>& logs);

} // namespace gputest::report
