// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/mutant_text.h"

#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::report {
namespace {

using model::Verdict;

std::string reached_text(const model::MutantResult& result) {
  if (result.reached_by.empty())
    return "";
  return fmt::format(" ({} reached it)", plural(result.reached_by.size(), "case"));
}

std::string killers_text(const model::MutantResult& result) {
  if (result.killed_by.empty())
    return "";
  if (result.killed_by.size() == 1)
    return fmt::format(" in case '{}'", result.killed_by.front());
  return fmt::format(" in {} cases", result.killed_by.size());
}

} // namespace

std::string operators_text(const model::Mutant& mutant) {
  return fmt::format("{}", fmt::join(mutant.operators, ", "));
}

std::pair<std::string, std::string> change_text(const model::Mutant& mutant, std::size_t width) {
  const std::string before = clean(mutant.text), after = clean(mutant.replacement);
  const auto [left, right] = std::ranges::mismatch(before, after);
  const auto same = static_cast<std::size_t>(left - before.begin());
  // These are bytes, so a code point may be cut. Whole code points are searched from there on.
  std::size_t skipped = same > width / 3 ? same - width / 3 : 0;
  while (skipped > 0 && (static_cast<unsigned char>(before[skipped]) & 0xC0U) == 0x80)
    --skipped;
  const auto part = [&](const std::string& text) {
    if (width_of(text) <= width)
      return text;
    return skipped == 0 ? elide_middle(text, width)
                        : "…" + elide_middle(text.substr(skipped), width - 1);
  };
  return {part(before), part(after)};
}

std::string outcome_text(const model::MutantResult& result) {
  const std::string reason =
      result.reason ? std::string(model::name_of(*result.reason)) : std::string();
  switch (result.verdict) {
  case Verdict::Killed:
    return "killed" + killers_text(result) + (reason.empty() ? "" : ": " + reason);
  case Verdict::Survived:
    return "survived" + reached_text(result) +
           (model::is_indistinct(result)
                ? "; not scored: hardly a device treats the two kinds of fence differently"
                : "");
  case Verdict::NoCoverage:
    return "not run: no case reaches it";
  case Verdict::Undecided:
    return fmt::format("undecided: some runs notice it{}, others do not{}",
                       reason.empty() ? "" : " (" + reason + ")", reached_text(result));
  case Verdict::Timeout:
    return "timed out" + killers_text(result);
  case Verdict::Equivalent:
    return "equivalent: proved to compute what the original computes" +
           (result.detail.empty() ? "" : ": " + result.detail);
  case Verdict::Duplicate:
    return "duplicate: proved to compute what " + result.mutant.duplicate_of + " computes";
  case Verdict::CompileError:
    return "rejected by the device's compiler";
  case Verdict::NotRun:
    return "not run: the time limit was over";
  case Verdict::Ignored:
    break;
  }
  return "ignored" +
         (result.mutant.ignore_reason.empty() ? "" : ": " + result.mutant.ignore_reason);
}

std::string details_text(const model::MutantResult& result) {
  if (result.order.empty())
    return result.detail;
  return fmt::format("{}{}order of work-items: {}", result.detail,
                     result.detail.empty() ? "" : "\n", result.order);
}

} // namespace gputest::report
