// Coverage for tests, a line for each site.
#pragma once

#include "model/coverage.h"

#include <string>
#include <utility>
#include <vector>

namespace gputest::tests {

using Hits = std::vector<std::pair<std::string, std::uint64_t>>; // outcome, test cases

// In the function `k` of `k.cl`, with the id "k.<criterion>.<name>".
inline model::SiteCoverage site(model::Criterion criterion, const std::string& kind,
                                const std::string& name, const Hits& hits) {
  model::SiteCoverage entry;
  entry.site.id = "k." + std::string(model::name_of(criterion)) + "." + name;
  entry.site.criterion = criterion;
  entry.site.kind = kind;
  entry.site.function = "k";
  entry.site.file = "k.cl";
  entry.site.line = entry.site.end_line = 3;
  entry.site.column = 5;
  entry.site.end_column = 9;
  entry.site.text = name;
  for (const auto& [outcome, count] : hits) {
    entry.site.outcomes.push_back({.name = outcome, .bit = 0});
    entry.hits.push_back(count);
  }
  return entry;
}

inline model::Coverage coverage_of(std::vector<model::SiteCoverage> sites) {
  model::Coverage coverage;
  coverage.kernel = coverage.name = "k";
  coverage.device = "device";
  coverage.source = "k.cl";
  coverage.sites = std::move(sites);
  return coverage;
}

inline model::DivergentBarrier divergent(const model::Site& barrier) {
  return {.barrier = barrier,
          .decision = {.word = 0,
                       .function = "k",
                       .file = "k.cl",
                       .line = 2,
                       .column = 7,
                       .text = "i < n",
                       .barriers = {barrier.id}},
          .group = 4,
          .test_case = "small"};
}

inline model::NotCounted loop_not_counted(const std::string& reason) {
  return {.criterion = model::Criterion::Loop,
          .file = "k.cl",
          .line = 3,
          .column = 2,
          .function = "k",
          .text = "for (;;)",
          .outcomes = {"zero", "one"},
          .reason = reason};
}

} // namespace gputest::tests
