// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/index/history.h"

#include "model/json.h"

#include <algorithm>

namespace gputest::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kFormat = "gputest-history-1";
constexpr std::size_t kRuns = 50;

Json parsed(const std::string& stored) {
  if (stored.empty())
    return {{"format", kFormat}, {"results", Json::object()}, {"runs", Json::array()}};
  Json json = model::parse_json(stored);
  model::expect_format(json, kFormat, "; another version of GpuTestCheck has written it");
  return json;
}

Json ends_of(const Summary& summary) {
  Json json = Json::object();
  for (const OpenEnd& open : summary.open)
    json[open.id] = open.text;
  return json;
}

// Returns what `json` has and `other` lacks.
std::vector<OpenEnd> beyond(const Json& json, const Json& other) {
  std::vector<OpenEnd> ends;
  for (const auto& [id, text] : json.items())
    if (!other.contains(id))
      ends.push_back({id, text.get<std::string>()});
  return ends;
}

Json means(const std::vector<HistoryEntry>& now) {
  std::map<std::string, std::pair<double, std::size_t>> sums;
  for (const HistoryEntry& entry : now)
    if (entry.summary->percent) {
      auto& [sum, count] = sums[entry.kind];
      sum += *entry.summary->percent;
      ++count;
    }
  Json json = Json::object();
  for (const auto& [kind, sum] : sums)
    json[kind] = sum.first / static_cast<double>(sum.second);
  return json;
}

} // namespace

History remember(std::string& stored, const std::vector<HistoryEntry>& now, const std::string& date,
                 const std::string& commit) {
  History history;
  Json json = parsed(stored);
  bool is_run = false;
  Json results = Json::object();
  try {
    for (const HistoryEntry& entry : now) {
      const std::string key = entry.kind + '/' + entry.summary->name + '/' + entry.summary->kernel;
      Json& result = results[key] = {{"stamp", entry.stamp}, {"open", ends_of(*entry.summary)}};
      const auto known = json.at("results").find(key);
      if (known != json.at("results").end()) {
        const bool is_same = known->at("stamp") == entry.stamp;
        if (const auto before = known->find(is_same ? "before" : "open"); before != known->end())
          result["before"] = *before;
        is_run |= !is_same;
      } else {
        is_run = true;
      }
      if (result.contains("before")) // what a time limit left out stays as it was
        for (const std::string& id : entry.summary->not_run)
          if (const auto open = result["before"].find(id); open != result["before"].end())
            result["open"][id] = *open;
      if (!result.contains("before"))
        continue;
      Change change{.kind = entry.kind,
                    .name = entry.summary->name,
                    .kernel = entry.summary->kernel,
                    .appeared = beyond(result["open"], result["before"]),
                    .gone = beyond(result["before"], result["open"])};
      if (!change.appeared.empty() || !change.gone.empty())
        history.changes.push_back(std::move(change));
    }
    json["results"] = std::move(results);
    Json& runs = json.at("runs");
    if (is_run)
      runs.push_back({{"date", date}, {"commit", commit}, {"percent", means(now)}});
    while (runs.size() > kRuns)
      runs.erase(0);
    for (const Json& run : runs)
      for (const auto& [kind, percent] : run.at("percent").items())
        history.trends[kind].push_back(percent.get<double>());
  } catch (const nlohmann::json::exception& error) {
    throw model::FormatError(error.what());
  }
  stored = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return history;
}

} // namespace gputest::report
