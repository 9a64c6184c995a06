// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/findings.h"

#include "ir/words.h"

#include <algorithm>
#include <fmt/format.h>
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

std::vector<Finding> Findings::all() const {
  std::vector<std::size_t> indices;
  for (const auto& [key, index] : known_) { // skips a pair of places that also has a worse race
    const auto& [kind, first, second] = key;
    if ((kind != "race_same_value" && kind != "lock_step") ||
        !known_.contains({"race", first, second}))
      indices.push_back(index);
  }
  std::ranges::sort(indices);
  std::vector<Finding> all;
  for (const std::size_t index : indices) {
    all.push_back(findings_[index]);
    for (std::string* text : {&all.back().message, &all.back().cause})
      *text = in_words_of(shape_.language, *text);
  }
  return all;
}

std::string text_of(const std::array<std::uint64_t, 3>& place, unsigned dimensions) {
  return fmt::format("({})", fmt::join(std::span(place).first(dimensions), ", "));
}

std::string text_of(const WorkItem& item, unsigned dimensions) {
  return fmt::format("work-item {} of group {}", text_of(item.local, dimensions),
                     text_of(item.group, dimensions));
}

} // namespace gputest::simulator
