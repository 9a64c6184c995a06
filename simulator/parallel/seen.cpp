// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/seen.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace gputest::simulator {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::uint64_t> counts_of(const std::vector<Finding>& findings) {
  std::vector<std::uint64_t> counts;
  for (const Finding& finding : findings)
    counts.push_back(finding.count);
  return counts;
}

} // namespace

void Seen::note(std::size_t group) {
  findings_.groups.resize(monitor_.found(), group);
  notes_.groups.resize(monitor_.notes().size(), group);
}

void Seen::begin_forks() {
  findings_.counts = counts_of(monitor_.findings());
  notes_.counts = counts_of(monitor_.notes());
}

std::string Seen::text() const {
  const auto listed = [](std::vector<Finding> findings, const Kind& kind) {
    Json all = Json::array();
    for (std::size_t i = 0; i < std::min(findings.size(), kind.groups.size()); ++i) {
      if (i < kind.counts.size())
        findings[i].count -= kind.counts[i];
      if (findings[i].count > 0)
        all.push_back({kind.groups[i], to_json(findings[i])});
    }
    return all;
  };
  return Json{listed(monitor_.findings(), findings_), listed(monitor_.notes(), notes_)}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

void Seen::add(const std::string& text_of_fork) {
  const Json json = Json::parse(text_of_fork);
  for (const auto& [kind, list] :
       {std::pair{&findings_, &json.at(0)}, std::pair{&notes_, &json.at(1)}})
    for (const Json& each : *list)
      kind->others.emplace_back(each.at(0).get<std::size_t>(),
                                model::finding_from_json(each.at(1)));
}

std::vector<Finding> Seen::merged(const Kind& kind, const std::vector<Finding>& own) {
  if (kind.others.empty())
    return own;
  std::vector<std::pair<std::size_t, Finding>> all = kind.others;
  for (std::size_t i = 0; i < own.size(); ++i)
    all.emplace_back(i < kind.groups.size() ? kind.groups[i] : 0, own[i]);
  std::ranges::stable_sort(all, {}, &std::pair<std::size_t, Finding>::first);
  std::vector<Finding> result;
  for (auto& [group, finding] : all) {
    const auto same = std::ranges::find_if(result, [&, &seen = finding](const Finding& other) {
      return model::pair_of(other) == model::pair_of(seen);
    });
    if (same == result.end())
      result.push_back(std::move(finding));
    else
      same->count += finding.count;
  }
  return result;
}

} // namespace gputest::simulator
