// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/findings.h"

#include "ir/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <span>

namespace gputest::simulator {

Finding* Findings::add(const char* kind, unsigned site, unsigned detail) {
  Recent& recent = recent_.at(site);
  if (recent.kind == kind && recent.detail == detail) {
    ++findings_[recent.finding].count;
    return nullptr;
  }
  const auto [known, is_new] = known_.try_emplace({kind, site, detail}, findings_.size());
  if (is_new && findings_.size() == kMost) {
    known_.erase(known);
    return nullptr;
  }
  recent = {kind, detail, known->second};
  if (!is_new) {
    ++findings_[known->second].count;
    return nullptr;
  }
  findings_.push_back({.kind = kind, .site = shape_.sites.at(site)});
  return &findings_.back();
}

std::size_t Findings::index_of(const std::string& kind, unsigned site, unsigned detail) const {
  const auto known = known_.find({kind, site, detail});
  return known == known_.end() ? kNone : known->second;
}

std::vector<KeyedFinding> Findings::keyed() const {
  std::vector<KeyedFinding> all(findings_.size());
  for (const auto& [key, index] : known_)
    all[index] = {key, findings_[index]};
  return all;
}

std::vector<Finding> Findings::all() const {
  return reported(keyed(), shape_.language);
}

std::vector<Finding> reported(const std::vector<KeyedFinding>& all, model::Language language) {
  std::set<std::pair<unsigned, unsigned>> races;
  for (const auto& [key, finding] : all)
    if (key.kind == "race")
      races.emplace(key.site, key.detail);
  std::vector<Finding> result;
  for (const auto& [key, finding] : all) { // skips a pair of places that also has a worse race
    if ((key.kind == "race_same_value" || key.kind == "lock_step") &&
        races.contains({key.site, key.detail}))
      continue;
    result.push_back(finding);
    for (std::string* text : {&result.back().message, &result.back().cause})
      *text = ir::in_words_of(language, *text);
  }
  return result;
}

std::string text_of(const std::array<std::uint64_t, 3>& place, unsigned dimensions) {
  return fmt::format("({})", fmt::join(std::span(place).first(dimensions), ", "));
}

std::string text_of(const WorkItem& item, unsigned dimensions) {
  return fmt::format("work-item {} of group {}", text_of(item.local, dimensions),
                     text_of(item.group, dimensions));
}

} // namespace gputest::simulator
