// The verdict on one mutant, step by step: which case to run next, and what follows from the
// outcomes. Knows nothing of devices.
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
  unsigned order = 0; // 0: the device's own
  bool operator==(const TrialStep&) const = default;
};

// The parts of a model::MutantResult that runs decide.
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
  // `cases`: those that reach the mutant, in the order to run them. `orders`: tried with each case
  // when all cases pass (or are undecided) in the device's own order.
  Trial(std::vector<std::size_t> cases, std::vector<unsigned> orders, bool all_cases);

  // What to find out next; nullopt: the verdict is known.
  std::optional<TrialStep> next() const;

  // Adds the outcome of the step that next() named. A step that cannot be made (the original fails
  // under that order) is skipped.
  void add(const store::Outcome& outcome);
  void skip() { ++at_; }

  // A clear kill wins over a time-out, that over an undecided case. No cases: NoCoverage.
  TrialResult result() const;

private:
  bool is_decided() const;

  std::vector<TrialStep> steps_;
  std::size_t at_ = 0, own_order_; // own_order_: steps in the device's own order
  bool all_cases_;
  std::vector<std::pair<TrialStep, store::Outcome>> outcomes_;
};

// The verdict on one step: noticed in all runs, in some, or in none.
model::Verdict verdict_of(unsigned runs, unsigned noticed);

// `cases` with those of `first` before the others; otherwise in their order.
std::vector<std::size_t> with_first(const std::vector<std::size_t>& cases,
                                    const std::vector<std::size_t>& first);

} // namespace gputest::runtime
