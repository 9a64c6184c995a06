// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/seen.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace gputest::simulator {
namespace {

using Json = nlohmann::ordered_json;

Json listed(const std::vector<Finding>& findings, const std::vector<std::size_t>& groups) {
  Json all = Json::array();
  for (std::size_t i = 0; i < std::min(findings.size(), groups.size()); ++i)
    all.push_back({groups[i], to_json(findings[i])});
  return all;
}

} // namespace

void Seen::note(std::size_t group) {
  notes_.groups.resize(std::max(notes_.groups.size(), monitor_.notes().size()), group);
  if (monitor_.found_anything())
    findings_.groups.resize(std::max(findings_.groups.size(), monitor_.findings().size()), group);
}

std::string Seen::text() const {
  return Json{listed(monitor_.findings(), findings_.groups),
              listed(monitor_.notes(), notes_.groups)}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
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
