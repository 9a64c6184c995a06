// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows how far a run of mutants is, with a ProgressLine.
#pragma once

#include "model/mutation/mutation.h"
#include "process/progress.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace gputest::model {

class MutationProgress {
public:
  MutationProgress(std::string name, std::uint64_t total) : line_(std::move(name)), total_(total) {}

  // Shows that the mutants are being built, which takes time before the first one is added.
  void building();
  // `executed`: the mutant ran, so its verdict is new. Only such mutants count for the speed.
  void add(Verdict verdict, bool executed);
  void clear() { line_.clear(); }

private:
  using Clock = std::chrono::steady_clock;

  process::ProgressLine line_;
  std::uint64_t total_, done_ = 0, killed_ = 0, survived_ = 0, executed_ = 0;
  Clock::time_point start_{}; // of the first mutant
};

// Returns "340/1200 mutants, 210 killed, 12 survived, 1043 per second, 1 s left".
std::string progress_text(std::uint64_t done, std::uint64_t total, std::uint64_t killed,
                          std::uint64_t survived, double per_second);

} // namespace gputest::model
