// Mutants that inputs kill, as bits of what inputs did: behind the outcomes of the instrumented
// kernel. So whatever chooses, shrinks and keeps inputs needs to know nothing of mutants.
#pragma once

#include "testgen/mutants/program.h"
#include "testgen/worker.h"

#include <functional>
#include <map>
#include <set>

namespace gputest::testgen {

class Kills {
public:
  // `tolerance`: of the cases that are to be written.
  Kills(const Target& target, const MutantProgram& program, Worker& worker,
        const Tolerance& tolerance);

  const std::vector<Goal>& goals() const { return goals_; }
  std::size_t words() const { return words_; } // of an outcome, in all

  // The bit of a weak kill: the mutant's expression had another value. What has one may lead on to
  // a kill.
  unsigned weak_bit(const Goal& goal) const {
    return goal.bit + static_cast<unsigned>(goals_.size());
  }

  // Nothing can kill it: it is not tried any more.
  void drop(const Goal& goal) { dropped_.insert(goal.bit); }
  bool dropped(const Goal& goal) const { return dropped_.contains(goal.bit); }
  // No input that was tried gave its expression another value.
  bool never_differed(const Goal& goal) const { return !different_.contains(goal.bit); }

  // A proof that its expression never has another value would say that nothing can kill it.
  bool may_be_proved(const Goal& goal) const;

  // Sets the bits of the mutants that a valid input kills, of those `wanted`.
  void add(const Input& input, Outcome& outcome, const std::function<bool(const Goal&)>& wanted);
  void add(const Input& input, Outcome& outcome, const std::function<bool(const Goal&)>& wanted,
           const Oracle& oracle);

  // Whether an input kills all mutants of `bits`, of which those that it does not come first
  // afterwards: smaller inputs fail to kill the same ones again and again. Bits of outcomes count
  // as kept.
  bool keeps(const Input& input, std::vector<unsigned>& bits);

  // Why nothing killed it.
  std::string why_left(const Goal& goal) const;

private:
  const Goal* goal_of(unsigned bit) const;

  const MutantProgram& program_;
  Worker& worker_;
  Oracle oracle_;
  std::vector<Goal> goals_;
  unsigned first_; // bit
  std::size_t words_;
  std::set<unsigned> reached_, different_, dropped_; // bits of goals
  std::map<unsigned, unsigned> endless_;             // by bit: how often it did not end
};

} // namespace gputest::testgen
