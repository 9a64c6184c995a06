// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records kills of mutants as bits of an input's outcome, after the bits of the instrumented
// kernel. So code that chooses, shrinks and keeps inputs need not know about mutants.
#pragma once

#include "testgen/mutants/program.h"
#include "testgen/worker.h"

#include <functional>
#include <map>
#include <set>

namespace gputest::testgen {

class Kills {
public:
  // `tolerance`: that of the cases to be written.
  Kills(const Target& target, const MutantProgram& program, Worker& worker,
        const Tolerance& tolerance);

  const std::vector<Goal>& goals() const { return goals_; }
  std::size_t words() const { return words_; } // of an outcome with the bits of mutants

  // Returns the bit of a weak kill: the mutant's expression had another value. Such an input may
  // lead to one that kills.
  unsigned weak_bit(const Goal& goal) const {
    return goal.bit + static_cast<unsigned>(goals_.size());
  }

  // Stops trying a mutant that nothing can kill.
  void drop(const Goal& goal) { dropped_.insert(goal.bit); }
  bool dropped(const Goal& goal) const { return dropped_.contains(goal.bit); }
  // Returns whether no tried input gave the mutant's expression another value.
  bool never_differed(const Goal& goal) const { return !different_.contains(goal.bit); }

  // Notes that no values show it in an output on the paths of the inputs that were tried.
  void never_shows(const Goal& goal) { hidden_.insert(goal.bit); }

  // Returns whether the mutant is equivalent if its expression never has another value.
  bool may_be_proved(const Goal& goal) const;

  // Tries a valid input on the mutants that `wanted` selects, and sets the bits of those that it
  // kills. Without `oracle`, outputs are compared with the original's.
  void add(const Input& input, Outcome& outcome, const std::function<bool(const Goal&)>& wanted);
  void add(const Input& input, Outcome& outcome, const std::function<bool(const Goal&)>& wanted,
           const Oracle& oracle);

  // Returns whether an input kills all mutants in `bits`; bits of outcomes are ignored. Moves the
  // first mutant that survives to the front, because smaller inputs often fail with the same one.
  bool keeps(const Input& input, std::vector<unsigned>& bits);

  // Returns why no input killed the mutant, for people.
  std::string why_left(const Goal& goal) const;

private:
  const Goal* goal_of(unsigned bit) const;

  const MutantProgram& program_;
  Worker& worker_;
  Oracle oracle_;
  std::vector<Goal> goals_;
  unsigned first_; // bit
  std::size_t words_;
  std::set<unsigned> reached_, different_, hidden_, dropped_; // bits of goals
  std::map<unsigned, unsigned> endless_;                      // by bit: how often it did not end
};

} // namespace gputest::testgen
