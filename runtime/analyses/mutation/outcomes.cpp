// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/outcomes.h"

#include <algorithm>

namespace gputest::runtime {
namespace {

std::string key_of(const std::string& program, const std::string& mutant) {
  return program + '\n' + mutant;
}

} // namespace

OutcomeCache::OutcomeCache(const std::optional<std::filesystem::path>& file, bool fresh)
    : fresh_(fresh) {
  if (file)
    store_.emplace(*file);
}

void OutcomeCache::load(const std::string& program) {
  if (!store_ || fresh_ || !loaded_.insert(program).second)
    return;
  for (const store::Outcome& outcome : store_->outcomes(program))
    remember(program, outcome);
}

const store::Outcome* OutcomeCache::find(const std::string& program, const std::string& mutant,
                                         const std::string& test_case, const std::string& order) {
  load(program);
  const auto known = outcomes_.find(key_of(program, mutant));
  if (known == outcomes_.end())
    return nullptr;
  const auto found = std::ranges::find_if(known->second, [&](const store::Outcome& outcome) {
    return outcome.test_case == test_case && outcome.order == order;
  });
  return found == known->second.end() ? nullptr : &*found;
}

void OutcomeCache::put(const std::string& program, const store::Outcome& outcome) {
  if (store_)
    store_->put(program, outcome);
}

void OutcomeCache::remember(const std::string& program, const store::Outcome& outcome) {
  std::vector<store::Outcome>& known = outcomes_[key_of(program, outcome.mutant)];
  const auto same = std::ranges::find_if(known, [&](const store::Outcome& other) {
    return other.test_case == outcome.test_case && other.order == outcome.order;
  });
  if (same == known.end())
    known.push_back(outcome);
  else
    *same = outcome;
}

} // namespace gputest::runtime
