// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/kills.h"

#include <algorithm>

namespace gputest::testgen {
namespace {

// A launch that does not end takes as long as thousands that do.
constexpr unsigned kMostEndless = 2;

// Other devices round in other ways: what is near the tolerance may be within it there.
constexpr double kMargin = 2;

Tolerance with_margin(Tolerance tolerance) {
  if (tolerance.absolute)
    *tolerance.absolute *= kMargin;
  if (tolerance.relative)
    *tolerance.relative *= kMargin;
  if (tolerance.ulp)
    *tolerance.ulp *= static_cast<std::uint64_t>(kMargin);
  return tolerance;
}

} // namespace

Kills::Kills(const Target& target, const MutantProgram& program, Worker& worker,
             const Tolerance& tolerance)
    : program_(program), worker_(worker), oracle_{.tolerance = with_margin(tolerance), .right = {}},
      first_(32 * target.sites.coverage_words), words_(target.sites.coverage_words) {
  for (const model::Mutant* const mutant : program.goals_of(target.kernel()))
    goals_.push_back({.bit = first_ + static_cast<unsigned>(goals_.size()), .mutant = mutant});
  words_ += (2 * goals_.size() + 31) / 32;
}

const Goal* Kills::goal_of(unsigned bit) const {
  return bit < first_ ? nullptr : &goals_.at(bit - first_);
}

void Kills::add(const Input& input, Outcome& outcome,
                const std::function<bool(const Goal&)>& wanted) {
  add(input, outcome, wanted, oracle_);
}

void Kills::add(const Input& input, Outcome& outcome,
                const std::function<bool(const Goal&)>& wanted, const Oracle& oracle) {
  outcome.words.resize(words_);
  std::vector<const model::Mutant*> mutants;
  std::vector<unsigned> bits;
  for (const Goal& goal : goals_)
    if (const auto known = endless_.find(goal.bit);
        wanted(goal) && !dropped(goal) &&
        (known == endless_.end() || known->second < kMostEndless)) {
      mutants.push_back(goal.mutant);
      bits.push_back(goal.bit);
    }
  const std::vector<Fate> fates = worker_.try_mutants(input, oracle, mutants, true);
  for (std::size_t i = 0; i < fates.size(); ++i) {
    if (fates[i] != Fate::NotReached)
      reached_.insert(bits[i]);
    if (fates[i] == Fate::Endless)
      ++endless_[bits[i]];
    if (fates[i] == Fate::Killed)
      outcome.words[bits[i] / 32] |= 1u << bits[i] % 32;
    if (fates[i] == Fate::NotReached || fates[i] == Fate::Survived)
      continue;
    different_.insert(bits[i]);
    const unsigned weak = bits[i] + static_cast<unsigned>(goals_.size());
    outcome.words[weak / 32] |= 1u << weak % 32;
  }
}

bool Kills::keeps(const Input& input, std::vector<unsigned>& bits) {
  std::vector<const model::Mutant*> mutants;
  std::vector<std::size_t> places; // in `bits`
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (const Goal* const goal = goal_of(bits[i])) {
      mutants.push_back(goal->mutant);
      places.push_back(i);
    }
  if (mutants.empty())
    return true;
  const std::vector<Fate> fates = worker_.try_mutants(input, oracle_, mutants, false);
  if (fates.size() == mutants.size() && fates.back() == Fate::Killed)
    return true;
  if (!fates.empty()) {
    const auto failed = bits.begin() + static_cast<std::ptrdiff_t>(places[fates.size() - 1]);
    std::rotate(bits.begin(), failed, failed + 1);
  }
  return false;
}

bool Kills::may_be_proved(const Goal& goal) const {
  const auto known = program_.differences.bits.find(goal.mutant->number);
  return goal.mutant->kind == model::MutantKind::Switched &&
         known != program_.differences.bits.end() && known->second.proves;
}

std::string Kills::why_left(const Goal& goal) const {
  if (const auto known = endless_.find(goal.bit);
      known != endless_.end() && known->second >= kMostEndless)
    return "its launches do not end";
  if (!reached_.contains(goal.bit))
    return "not reached";
  if (never_differed(goal))
    return "reached, and its value was always the original's";
  return hidden_.contains(goal.bit) ? "reached, and no values show it on the ways that inputs took"
                                    : "reached, and no output differed";
}

} // namespace gputest::testgen
