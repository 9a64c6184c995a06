// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/forks_of_launch.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace gputest::simulator {
namespace {

using Told = nlohmann::ordered_json;

std::vector<std::uint64_t> counts_of(const std::vector<KeyedFinding>& findings) {
  std::vector<std::uint64_t> counts;
  for (const auto& [key, finding] : findings)
    counts.push_back(finding.count);
  return counts;
}

} // namespace

void ForksOfLaunch::note(std::size_t group) {
  findings_.groups.resize(monitor_.collected().count(), group);
  notes_.groups.resize(monitor_.notes().size(), group);
}

unsigned
ForksOfLaunch::processes(const std::function<const std::optional<GroupAccesses>&()>& accesses,
                         std::span<const std::byte> arguments,
                         const std::function<ObjectPlaces()>& places) {
  const unsigned number = processes_for(accesses, context_, arguments, places,
                                        checks_.any() ? Updates::InOrder : Updates::Commute);
  if (number == 1)
    return number;
  findings_.counts = counts_of(monitor_.collected().keyed());
  notes_.counts = counts_of(own_notes());
  if (checks_.has("uninitialized"))
    initialized_.emplace(shape_, context_);
  return number;
}

std::vector<KeyedFinding> ForksOfLaunch::own_notes() const {
  std::vector<KeyedFinding> all;
  for (const Finding& note : monitor_.notes())
    all.emplace_back(FindingKey{.kind = model::pair_of(note)}, note);
  return all;
}

std::string ForksOfLaunch::text() {
  if (initialized_)
    initialized_->tell();
  const auto listed = [](std::vector<KeyedFinding> findings, const Kind& kind) {
    Told all = Told::array();
    for (std::size_t i = 0; i < std::min(findings.size(), kind.groups.size()); ++i) {
      auto& [key, finding] = findings[i];
      if (i < kind.counts.size())
        finding.count -= kind.counts[i];
      if (finding.count > 0)
        all.push_back({kind.groups[i], key.kind, key.site, key.detail, to_json(finding)});
    }
    return all;
  };
  return Told{listed(monitor_.collected().keyed(), findings_), listed(own_notes(), notes_)}.dump(
      -1, ' ', false, Told::error_handler_t::replace);
}

void ForksOfLaunch::add(const std::string& text_of_fork) {
  if (initialized_) // the first fork that is added: the bytes are those of all
    initialized_->adopt();
  initialized_.reset();
  const Told json = Told::parse(text_of_fork);
  for (const auto& [kind, list] :
       {std::pair{&findings_, &json.at(0)}, std::pair{&notes_, &json.at(1)}})
    for (const Told& each : *list)
      kind->others.emplace_back(each.at(0).get<std::size_t>(),
                                KeyedFinding{{.kind = each.at(1).get<std::string>(),
                                              .site = each.at(2).get<unsigned>(),
                                              .detail = each.at(3).get<unsigned>()},
                                             model::finding_from_json(each.at(4))});
}

std::vector<Finding> ForksOfLaunch::findings() const {
  return findings_.others.empty()
             ? monitor_.findings()
             : reported(merged(findings_, monitor_.collected().keyed()), shape_.language);
}

std::vector<Finding> ForksOfLaunch::notes() const {
  if (notes_.others.empty())
    return monitor_.notes();
  std::vector<Finding> all;
  for (auto& [key, note] : merged(notes_, own_notes()))
    all.push_back(std::move(note));
  return all;
}

std::vector<KeyedFinding> ForksOfLaunch::merged(const Kind& kind, std::vector<KeyedFinding> own) {
  std::vector<std::pair<std::size_t, KeyedFinding>> all = kind.others;
  for (std::size_t i = 0; i < own.size(); ++i)
    all.emplace_back(i < kind.groups.size() ? kind.groups[i] : 0, std::move(own[i]));
  std::ranges::stable_sort(all, {}, &std::pair<std::size_t, KeyedFinding>::first);
  std::vector<KeyedFinding> result;
  std::map<FindingKey, std::size_t> known;
  for (auto& [group, keyed] : all)
    if (const auto [at, is_new] = known.try_emplace(keyed.first, result.size()); !is_new)
      result[at->second].second.count += keyed.second.count;
    else
      result.push_back(std::move(keyed));
  result.resize(std::min(result.size(), Findings::kMost));
  return result;
}

} // namespace gputest::simulator
