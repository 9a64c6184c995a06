// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/goals/goals.h"

#include <fmt/format.h>

namespace gputest::testgen {
namespace {

std::string word_for(const model::Site& site) {
  return std::string(site.kind.empty() ? model::name_of(site.criterion) : site.kind);
}

} // namespace

std::vector<Goal> goals_of(const model::SiteTable& sites,
                           const std::set<model::Criterion>& criteria) {
  std::vector<Goal> goals;
  for (std::size_t i = 0; i < sites.sites.size(); ++i)
    if (criteria.contains(sites.sites[i].criterion))
      for (std::size_t k = 0; k < sites.sites[i].outcomes.size(); ++k)
        goals.push_back({i, k, sites.sites[i].outcomes[k].bit});
  return goals;
}

std::string text_of(const Goal& goal, const model::SiteTable& sites) {
  const model::Site& site = sites.sites[goal.site];
  return fmt::format("{}:{} {} {}", site.line, site.column, word_for(site),
                     site.outcomes[goal.outcome].name);
}

std::string message_of(const Goal& goal, const model::SiteTable& sites) {
  const model::Site& site = sites.sites[goal.site];
  return fmt::format("{}:{}:{}: {} '{}' {}", site.file, site.line, site.column, word_for(site),
                     site.text, site.outcomes[goal.outcome].name);
}

std::string file_part(const Goal& goal, const model::SiteTable& sites) {
  const model::Site& site = sites.sites[goal.site];
  std::string name =
      fmt::format("{}-{}-{}", site.line, word_for(site), site.outcomes[goal.outcome].name);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '-';
  return name;
}

} // namespace gputest::testgen
