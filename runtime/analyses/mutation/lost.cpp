// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/lost.h"

#include <fmt/format.h>

namespace gputest::runtime {

using model::KillReason;
using model::Verdict;
using store::Outcome;

Json lost_detail(const std::string& program, const Outcome& outcome) {
  return {{"program", program},
          {"mutant", outcome.mutant},
          {"case", outcome.test_case},
          {"order", outcome.order},
          {"building", outcome.verdict == Verdict::CompileError}};
}

KeyedOutcome lost_outcome(const Json& detail, Loss loss, const std::string& message,
                          double seconds) {
  const bool is_known = loss != Loss::Disturbed;
  Outcome outcome{.mutant = detail.at("mutant").get<std::string>(),
                  .test_case = detail.at("case").get<std::string>(),
                  .order = detail.at("order").get<std::string>(),
                  .runs = 1,
                  .noticed = 1};
  outcome.detail = message;
  outcome.seconds = seconds;
  if (!is_known) {
    outcome.verdict = Verdict::Undecided;
    outcome.noticed = 0;
  } else if (detail.at("building").get<bool>()) {
    outcome.verdict = Verdict::CompileError;
    outcome.runs = outcome.noticed = 0;
  } else if (loss == Loss::Timeout) {
    outcome.verdict = Verdict::Timeout;
    outcome.detail = fmt::format("ended after {:.1f} s", seconds);
  } else {
    outcome.verdict = Verdict::Killed;
    outcome.reason = loss == Loss::Exhausted ? KillReason::BudgetExhausted : KillReason::Crash;
  }
  return {detail.at("program").get<std::string>(), outcome, is_known};
}

} // namespace gputest::runtime
