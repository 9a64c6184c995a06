// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/checks/finding_groups.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::model {

bool FindingGroups::leads(const Finding& finding) {
  if (finding.cause.empty())
    return true;
  const auto group = std::ranges::find(groups_, finding.cause,
                                       [](const Group& other) { return other.first.cause; });
  if (group == groups_.end()) {
    groups_.push_back({finding, {}});
    return true;
  }
  group->others.push_back(fmt::format(
      "{}:{}{}", finding.site.file, finding.site.line,
      finding.other.line == 0 ? ""
                              : fmt::format(" and {}:{}", finding.other.file, finding.other.line)));
  return false;
}

std::vector<std::string> FindingGroups::notes() const {
  std::vector<std::string> notes;
  for (const Group& group : groups_)
    if (!group.others.empty())
      notes.push_back(fmt::format("{}:{}:{}: note: {} more {}: {}", group.first.site.file,
                                  group.first.site.line, group.first.site.column,
                                  group.others.size(), group.first.cause,
                                  fmt::join(group.others, ", ")));
  return notes;
}

} // namespace gputest::model
