// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reaches the verdict on one mutant step by step: which case to run next, and what follows from the
// outcomes. It knows nothing of devices.
#pragma once

#include "store/store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

// The repeated runs of one case under one order of work-items.
struct TrialStep {
  std::size_t test_case = 0;
  unsigned order = 0; // 0: the device's own order
  bool operator==(const TrialStep&) const = default;
};

// The parts of model::MutantResult that runs decide.
struct TrialResult {
  model::Verdict verdict = model::Verdict::Survived;
  std::optional<model::KillReason> reason;
  std::string detail;
  std::vector<std::size_t> killed_by; // cases; also of a time-out
  unsigned runs = 0;
  std::string order;
  double seconds = 0;
};

class Trial {
public:
  // `cases`: indices of those that reach the mutant, in the order in which to run them. `orders`:
  // tried with each case if no case kills the mutant in the device's own order. `all_cases`: runs
  // every case even after a kill.
  Trial(std::vector<std::size_t> cases, std::vector<unsigned> orders, bool all_cases);

  // Returns the next step; nullopt: the verdict is known.
  std::optional<TrialStep> next() const;

  // Adds the outcome of the step that next() returned. skip() leaves out a step that cannot be
  // made, because the original fails under that order.
  void add(const store::Outcome& outcome);
  void skip() { ++at_; }

  // Returns the verdict. A kill wins over a time-out, and a time-out over an undecided case.
  // Without cases it is NoCoverage.
  TrialResult result() const;

private:
  bool is_decided() const;

  std::vector<TrialStep> steps_;
  std::size_t at_ = 0, own_order_; // own_order_: number of steps in the device's own order
  bool all_cases_;
  std::vector<std::pair<TrialStep, store::Outcome>> outcomes_;
};

// Returns the verdict on one step: Killed if the mutant was noticed in all runs, Survived if in
// none, otherwise Undecided.
model::Verdict verdict_of(unsigned runs, unsigned noticed);

// Returns `cases` in their order, but those that are in `first` before the others.
std::vector<std::size_t> with_first(const std::vector<std::size_t>& cases,
                                    const std::vector<std::size_t>& first);

} // namespace gputest::runtime
