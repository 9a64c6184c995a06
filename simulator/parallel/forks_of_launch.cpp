// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/parallel/forks_of_launch.h"

#include "model/json.h"

#include <algorithm>
#include <map>

namespace gputest::simulator {

using model::field, model::from_json, model::to_json;

static constexpr auto fields_of(const FindingKey*) {
  using T = FindingKey;
  return std::tuple{field("kind", &T::kind), field("site", &T::site), field("detail", &T::detail)};
}

namespace {

using model::from_json, model::to_json; // for types of this namespace

// What a fork tells.
struct ToldFinding {
  std::size_t group = 0;
  FindingKey key{};
  Finding finding{};
};
constexpr auto fields_of(const ToldFinding*) {
  using T = ToldFinding;
  return std::tuple{field("group", &T::group), field("key", &T::key),
                    field("finding", &T::finding)};
}
struct Told {
  std::vector<ToldFinding> findings{}, notes{};
};
constexpr auto fields_of(const Told*) {
  return std::tuple{field("findings", &Told::findings), field("notes", &Told::notes)};
}

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
    std::vector<ToldFinding> all;
    for (std::size_t i = 0; i < std::min(findings.size(), kind.groups.size()); ++i) {
      auto& [key, finding] = findings[i];
      if (i < kind.counts.size())
        finding.count -= kind.counts[i];
      if (finding.count > 0)
        all.push_back({kind.groups[i], key, finding});
    }
    return all;
  };
  const model::Json told = Told{.findings = listed(monitor_.collected().keyed(), findings_),
                                .notes = listed(own_notes(), notes_)};
  return told.dump(-1, ' ', false, model::Json::error_handler_t::replace);
}

void ForksOfLaunch::add(const std::string& text_of_fork) {
  if (initialized_) // the first fork that is added: the bytes are those of all
    initialized_->adopt();
  initialized_.reset();
  const auto told = model::parse_json(text_of_fork).get<Told>();
  for (const auto& [kind, list] :
       {std::pair{&findings_, &told.findings}, std::pair{&notes_, &told.notes}})
    for (const ToldFinding& each : *list)
      kind->others.emplace_back(each.group, KeyedFinding{each.key, each.finding});
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
