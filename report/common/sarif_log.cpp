// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/sarif_log.h"

#include "model/files.h"
#include "report/common/site.h"
#include "report/common/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

// RFC 3986: everything but unreserved characters and "/" is %-encoded.
std::string percent_encoded(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~' ||
                          c == '/';
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// GitHub refuses a run with more results. Keeps those that matter most, in their order.
constexpr std::size_t kMostResults = 25'000;

void keep_most_important(SarifRun& run) {
  if (run.results.size() <= kMostResults)
    return;
  constexpr std::array<std::string_view, 3> kLevels{"error", "warning", "note"};
  const auto rank = [&](const Json& result) {
    return result.contains("suppressions")
               ? kLevels.end()
               : std::ranges::find(kLevels, result.at("level").get<std::string>());
  };
  const std::size_t all = run.results.size();
  std::stable_sort(run.results.begin(), run.results.end(),
                   [&](const Json& a, const Json& b) { return rank(a) < rank(b); });
  run.results.erase(run.results.begin() + kMostResults, run.results.end());
  run.notes.push_back(fmt::format("{} of {} results are left out: GitHub takes {} of a run",
                                  all - kMostResults, all, kMostResults));
}

} // namespace

Json sarif_artifact(const std::string& file, const fs::path& root) {
  fs::path path = fs::path(file).lexically_normal();
  if (path.is_absolute()) {
    const auto name = model::name_below(path, fs::absolute(root));
    if (!name)
      return {{"uri", "file://" + percent_encoded(path.string())}};
    path = *name;
  }
  return {{"uri", percent_encoded(path.generic_string())}, {"uriBaseId", "SRCROOT"}};
}

Json sarif_rule(const SarifRule& rule) {
  const std::string summary = clean(rule.summary);
  Json json{{"id", clean(rule.id)},
            {"shortDescription", {{"text", summary}}},
            {"fullDescription",
             {{"text", rule.more.empty() ? summary + "." : summary + ". " + clean(rule.more)}}},
            {"defaultConfiguration", {{"level", rule.level}}}};
  if (!rule.page.empty())
    add_help(json, rule.page);
  return json;
}

Json sarif_message(const std::string& text) {
  return {{"text", clean_lines(text)}};
}

Json sarif_suppression(const std::string& reason, SuppressedIn where) {
  Json json{{"kind", where == SuppressedIn::Source ? "inSource" : "external"}};
  if (!reason.empty())
    json["justification"] = clean(reason);
  return Json::array({std::move(json)});
}

std::string sarif_log(SarifRun run) {
  keep_most_important(run);
  Json driver{{"name", "GpuTestCheck"}, {"semanticVersion", version_of_tool()}};
  if (const std::string site = address_of_site(); !site.empty())
    driver["informationUri"] = site;
  driver["rules"] = std::move(run.rules);
  Json json{{"tool", {{"driver", std::move(driver)}}},
            // GitHub takes what precedes the last slash as the category.
            {"automationDetails", {{"id", fmt::format("gputest/{}/", run.kind)}}},
            {"originalUriBaseIds",
             {{"SRCROOT", {{"description", {{"text", "the folder of the sources"}}}}}}},
            {"columnKind", "utf16CodeUnits"},
            {"results", std::move(run.results)}};
  if (!run.notes.empty()) {
    Json notes = Json::array();
    for (const std::string& note : run.notes)
      notes.push_back({{"level", "warning"}, {"message", sarif_message(note)}});
    json["invocations"] = Json::array(
        {{{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notes)}}});
  }
  return model::pretty(
      {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(json)})}}, 4);
}

std::string join_sarif(const std::vector<std::string>& logs) {
  Json runs = Json::array();
  for (const std::string& text : logs) {
    Json log = Json::parse(text);
    for (Json& run : log.at("runs"))
      runs.push_back(std::move(run));
  }
  return model::pretty({{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", std::move(runs)}}, 4);
}

} // namespace gputest::report
