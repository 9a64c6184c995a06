#include "report/mutant_text.h"

#include "report/text.h"

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

std::string outcome_text(const model::MutantResult& result) {
  const std::string reason =
      result.reason ? std::string(model::name_of(*result.reason)) : std::string();
  switch (result.verdict) {
  case Verdict::Killed:
    return "killed" + killers_text(result) + (reason.empty() ? "" : ": " + reason);
  case Verdict::Survived:
    return "survived" + reached_text(result);
  case Verdict::NoCoverage:
    return "not run: no case reaches it";
  case Verdict::Undecided:
    return fmt::format("undecided: some runs notice it{}, others do not{}",
                       reason.empty() ? "" : " (" + reason + ")", reached_text(result));
  case Verdict::Timeout:
    return "timed out" + killers_text(result);
  case Verdict::Equivalent:
    return "equivalent: proved to compute what the original computes";
  case Verdict::Duplicate:
    return "duplicate: proved to compute what " + result.mutant.duplicate_of + " computes";
  case Verdict::CompileError:
    return "rejected by the device's compiler";
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
