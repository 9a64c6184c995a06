// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/coverage/cases.h"

#include <algorithm>
#include <utility>

namespace gputest::model {
namespace {

// Takes out of `added` the hits of a case that `known` has already.
void forget_known(Coverage& added, const CaseRecord& record, const CaseRecord& known) {
  std::size_t outcome = 0;
  for (SiteCoverage& entry : added.sites)
    for (std::uint64_t& hits : entry.hits) {
      if (hits > 0 && reaches(record, outcome) && reaches(known, outcome))
        --hits;
      ++outcome;
    }
}

// Returns the outcomes of both, as hexadecimal digits.
std::string joined(const std::string& a, const std::string& b) {
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::string all;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    all += "0123456789abcdef"[(i < a.size() ? value(a[i]) : 0) | (i < b.size() ? value(b[i]) : 0)];
  return all;
}

} // namespace

bool has_same_sites(const Coverage& a, const Coverage& b) {
  const auto id = [](const SiteCoverage& entry) {
    return std::pair(entry.site.id, entry.site.function);
  };
  return std::ranges::equal(a.sites, b.sites, {}, id, id);
}

void merge_by_case(Coverage& into, const Coverage& other) {
  const bool alike = has_same_sites(into, other);
  Coverage added = other;
  std::vector<CaseRecord> cases = std::exchange(into.cases, {});
  for (const CaseRecord& record : std::exchange(added.cases, {})) {
    const auto known = std::ranges::find(cases, record.name, &CaseRecord::name);
    if (known == cases.end()) {
      cases.push_back(record);
      if (!alike)
        cases.back().reached.clear();
      continue;
    }
    if (known->verdict == CaseVerdict::Passed && record.verdict != CaseVerdict::Passed) {
      known->verdict = record.verdict;
      known->message = record.message;
    }
    if (alike && !known->reached.empty() && !record.reached.empty()) {
      forget_known(added, record, *known);
      known->reached = joined(known->reached, record.reached);
    } else {
      known->reached.clear();
    }
  }
  merge(into, added);
  into.cases = std::move(cases);
}

} // namespace gputest::model
