// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/coverage_collector.h"

#include "gputest/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {

CoverageCollector::CoverageCollector(const model::SiteTable& table, const std::string& kernel) {
  const auto found = std::ranges::find(table.kernels, kernel, &model::InstrumentedKernel::name);
  if (found == table.kernels.end())
    throw UsageError(fmt::format("sites.json of {} has no kernel '{}'", table.source, kernel));
  const auto reachable = [&](const auto& item) {
    return std::ranges::find(found->functions, item.function) != found->functions.end();
  };
  coverage_.kernel = kernel;
  coverage_.source = table.source;
  for (const model::Site& site : table.sites)
    if (reachable(site))
      coverage_.sites.push_back({site, std::vector<std::uint64_t>(site.outcomes.size())});
  std::ranges::copy_if(table.votes, std::back_inserter(votes_), reachable);
  std::ranges::copy_if(table.not_counted, std::back_inserter(coverage_.not_counted), reachable);
  std::ranges::copy_if(table.not_instrumented, std::back_inserter(coverage_.not_instrumented),
                       [&](const model::NotInstrumented& item) {
                         return item.function.empty() || reachable(item); // file scope: always
                       });
}

std::string CoverageCollector::add(const Recorded& recorded, const std::string& test_case) {
  std::vector<unsigned> digits;
  std::size_t number = 0;
  for (model::SiteCoverage& entry : coverage_.sites)
    for (std::size_t i = 0; i < entry.hits.size(); ++i, ++number) {
      const unsigned bit = entry.site.outcomes[i].bit;
      if (number % 4 == 0)
        digits.push_back(0);
      if (bit / 32 < recorded.coverage.size() &&
          (recorded.coverage[bit / 32] >> bit % 32 & 1) != 0) {
        ++entry.hits[i];
        digits.back() |= 1U << number % 4;
      }
    }
  for (const model::Vote& vote : votes_)
    if (vote.word < recorded.divergence.size() && recorded.divergence[vote.word] != 0)
      add_divergence(vote, recorded.divergence[vote.word], test_case);
  std::string reached;
  for (const unsigned digit : digits)
    reached += "0123456789abcdef"[digit];
  return reached;
}

void CoverageCollector::add_divergence(const model::Vote& vote, std::uint32_t word,
                                       const std::string& test_case) {
  for (const std::string& barrier : vote.barriers) {
    const auto known = std::ranges::find_if(
        coverage_.divergent_barriers, [&](const model::DivergentBarrier& divergent) {
          return divergent.barrier.id == barrier && divergent.decision == vote;
        });
    const auto entry = std::ranges::find_if(
        coverage_.sites, [&](const model::SiteCoverage& site) { return site.site.id == barrier; });
    if (known == coverage_.divergent_barriers.end() && entry != coverage_.sites.end())
      coverage_.divergent_barriers.push_back({entry->site, vote, word - 1u, test_case});
  }
}

} // namespace gputest::runtime
