// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/coverage/text.h"

#include "model/language.h"

#include <fmt/format.h>
#include <string_view>

namespace gputest::runtime {
namespace {

using model::Criterion;

std::string missing_outcome(const model::Site& site, std::string_view outcome,
                            model::Language language) {
  const auto never = [&](std::string_view what, std::string_view phrase) {
    return fmt::format("{} '{}' {}", what, site.text, phrase);
  };
  switch (site.criterion) {
  case Criterion::Statement:
    return never("statement", "was never executed");
  case Criterion::Condition:
    return never("condition", fmt::format("was never {}", outcome));
  case Criterion::Barrier:
    return never("barrier", model::row_of(language).exits_pass_barriers
                                ? "was never executed"
                                : "was never executed by all of a work-group");
  case Criterion::Branch:
    return site.kind == "switch" ? never("switch label", "was never taken")
                                 : never("branch", fmt::format("was never {}", outcome));
  case Criterion::Loop:
    if (outcome == "boundary")
      return never("loop", "never ended because its condition became false");
    return never("loop", fmt::format("never ran {}", outcome == "zero"  ? "zero times"
                                                     : outcome == "one" ? "exactly once"
                                                                        : "more than once"));
  }
  return {};
}

std::string criterion_line(Criterion criterion, const model::Tally& tally) {
  if (const auto percent = tally.percent())
    return fmt::format("  {:<10} {:>6.1f} %  {} of {}\n", model::name_of(criterion), *percent,
                       tally.covered, tally.total);
  return fmt::format("  {:<10}      -    there is none\n", model::name_of(criterion));
}

// Work-items record what they have executed when they leave the kernel, so a case that ends before
// has recorded nothing.
bool is_lost(const model::CaseRecord& record) {
  return record.verdict != model::CaseVerdict::Passed &&
         record.verdict != model::CaseVerdict::Failed;
}

} // namespace

std::string coverage_text(const model::Coverage& coverage, const model::Thresholds& thresholds) {
  const model::Criteria criteria = model::tally(coverage);
  std::string text = fmt::format("coverage of {} (kernel '{}') on {}:\n", coverage.source,
                                 coverage.kernel, coverage.device);
  for (const Criterion criterion : model::kCriteria)
    text += criterion_line(criterion, criteria.of(criterion));

  std::size_t lost = 0;
  for (const model::CaseRecord& record : coverage.cases)
    if (is_lost(record)) {
      ++lost;
      text += fmt::format("{}: note: what case '{}' executed is not known ({}): nothing of it "
                          "counts as covered\n",
                          coverage.source, record.name, model::name_of(record.verdict));
    }
  const bool knows_some = lost == 0 || lost < coverage.cases.size();
  for (const model::SiteCoverage& entry : coverage.sites)
    for (std::size_t i = 0; knows_some && i < entry.hits.size(); ++i)
      if (entry.hits[i] == 0)
        text +=
            fmt::format("{}:{}:{}: note: {}\n", entry.site.file, entry.site.line, entry.site.column,
                        missing_outcome(entry.site, entry.site.outcomes[i].name,
                                        model::language_of(coverage.source)));
  for (const model::DivergentBarrier& divergent : coverage.divergent_barriers)
    text +=
        fmt::format("{}:{}:{}: error: divergent barrier: work-items of group {} parted at {}:{} "
                    "'{}' in case '{}'\n",
                    divergent.barrier.file, divergent.barrier.line, divergent.barrier.column,
                    divergent.group, divergent.decision.file, divergent.decision.line,
                    divergent.decision.text, divergent.test_case);
  for (const model::NotInstrumented& item : coverage.not_instrumented)
    text += fmt::format("{}:{}:{}: warning: {} is not instrumented: {}\n", item.file, item.line,
                        item.column, item.construct, item.reason);
  for (const model::Miss& miss : model::missed(criteria, thresholds)) {
    const model::Tally& tally = criteria.of(miss.criterion);
    text += fmt::format("error: {} coverage is {:.1f} % ({} of {}), {:g} % are required\n",
                        model::name_of(miss.criterion), miss.reached, tally.covered, tally.total,
                        miss.required);
  }
  return text;
}

} // namespace gputest::runtime
