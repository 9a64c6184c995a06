// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the parts that SARIF files of all kinds share. What GitHub's code scanning asks for beyond
// the standard is here, too.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

using Json = nlohmann::ordered_json;

// Returns an artifactLocation, relative to `root` if the file is below it.
Json sarif_artifact(const std::string& file, const std::filesystem::path& root);

// A rule. `summary` is a sentence without a full stop, and `more` says what to make of a result.
// `page` is the page of the site about it, "coverage"; empty: there is none. The texts may be of
// results, and so are cleaned here.
struct SarifRule {
  std::string id, summary, more;
  std::string_view level; // "error", "warning" or "note"
  std::string page{};
};
Json sarif_rule(const SarifRule& rule);

// The texts of results may have several lines.
Json sarif_message(const std::string& text);

// The suppression of a result, with a reason or "", by a comment in the source or by a file.
enum class SuppressedIn { Source, File };
Json sarif_suppression(const std::string& reason, SuppressedIn where = SuppressedIn::Source);

// The results of one kind of analysis.
struct SarifRun {
  std::string_view kind; // "check": the category is "gputest/check"
  Json rules = Json::array(), results = Json::array();
  std::vector<std::string> notes{}; // what was not done, and why
};

// Returns SARIF 2.1.0 with one run.
std::string sarif_log(SarifRun run);

// Returns one log with the runs of all these logs, which are of different kinds: GitHub refuses a
// file with two runs of one category.
std::string join_sarif(const std::vector<std::string>& logs);

} // namespace gputest::report
