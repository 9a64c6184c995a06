// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/mutant_text.h"
#include "report/common/text.h"
#include "report/index/summaries.h"
#include "report/mutation/report.h"

#include <fmt/format.h>

namespace gputest::report {

std::vector<Summary> mutation_summary(const std::filesystem::path& file) {
  std::vector<Summary> all;
  for (const model::Mutation& mutation : model::read_mutations(file)) {
    const model::Tallies tallies = model::tally(mutation.results);
    const model::Tally score = score_of(tallies);
    Summary& summary = all.emplace_back(Summary{
        .name = mutation.name,
        .kernel = mutation.kernel,
        .source = mutation.source,
        .device = mutation.device,
        .level = level_of(score.percent()),
        .value = percent_text(score),
        .detail = score.total == 0 ? "nothing to score"
                                   : fmt::format("{} of {} killed", score.covered, score.total),
        .percent = score.percent()});
    if (mutation.threshold && summary.percent && *summary.percent < *mutation.threshold)
      summary.failures.push_back(
          fmt::format("the score of {:.4g} % is below the threshold of {:g} %", *summary.percent,
                      *mutation.threshold));
    for (const model::MutantResult& result : mutation.results)
      if ((result.verdict == model::Verdict::Survived ||
           result.verdict == model::Verdict::Undecided ||
           result.verdict == model::Verdict::NoCoverage) &&
          !model::is_indistinct(result))
        summary.open.push_back(
            {result.mutant.id,
             fmt::format(
                 "{}: '{}' → '{}' {}",
                 place_text(result.mutant.file.empty() ? mutation.source : result.mutant.file,
                            result.mutant.line, result.mutant.column),
                 result.mutant.text, result.mutant.replacement, outcome_text(result))});
  }
  return all;
}

} // namespace gputest::report
