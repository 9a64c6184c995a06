// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/trial.h"

#include <algorithm>

namespace gputest::runtime {

using model::Verdict;

Trial::Trial(std::vector<std::size_t> cases, std::vector<unsigned> orders, bool all_cases)
    : own_order_(cases.size()), all_cases_(all_cases) {
  for (const std::size_t test_case : cases)
    steps_.push_back({test_case, 0});
  for (const unsigned order : orders)
    for (const std::size_t test_case : cases)
      steps_.push_back({test_case, order});
}

bool Trial::is_decided() const {
  return std::ranges::any_of(outcomes_, [](const auto& entry) {
    const Verdict verdict = entry.second.verdict;
    return verdict == Verdict::Killed || verdict == Verdict::Timeout ||
           verdict == Verdict::CompileError;
  });
}

std::optional<TrialStep> Trial::next() const {
  if (at_ == steps_.size() || (is_decided() && (!all_cases_ || at_ >= own_order_)))
    return std::nullopt;
  if (!outcomes_.empty() && outcomes_.back().second.verdict == Verdict::CompileError)
    return std::nullopt;
  return steps_[at_];
}

void Trial::add(const store::Outcome& outcome) {
  outcomes_.emplace_back(steps_[at_++], outcome);
}

TrialResult Trial::result() const {
  TrialResult result;
  if (steps_.empty()) {
    result.verdict = Verdict::NoCoverage;
    return result;
  }
  for (const auto& [step, outcome] : outcomes_) {
    result.runs += outcome.runs;
    result.seconds += outcome.seconds;
  }
  for (const Verdict verdict :
       {Verdict::CompileError, Verdict::Killed, Verdict::Timeout, Verdict::Undecided}) {
    const auto found = std::ranges::find_if(
        outcomes_, [&](const auto& entry) { return entry.second.verdict == verdict; });
    if (found == outcomes_.end())
      continue;
    result.verdict = verdict;
    result.reason = found->second.reason;
    result.detail = found->second.detail;
    result.order = found->second.order;
    if (verdict == Verdict::Killed || verdict == Verdict::Timeout)
      for (const auto& [step, outcome] : outcomes_)
        if (outcome.verdict == Verdict::Killed || outcome.verdict == Verdict::Timeout)
          result.killed_by.push_back(step.test_case);
    return result;
  }
  return result;
}

Verdict verdict_of(unsigned runs, unsigned noticed) {
  return noticed == 0 ? Verdict::Survived : noticed == runs ? Verdict::Killed : Verdict::Undecided;
}

std::vector<std::size_t> with_first(const std::vector<std::size_t>& cases,
                                    const std::vector<std::size_t>& first) {
  std::vector<std::size_t> ordered = cases;
  std::ranges::stable_partition(ordered, [&](std::size_t test_case) {
    return std::ranges::find(first, test_case) != first.end();
  });
  return ordered;
}

} // namespace gputest::runtime
