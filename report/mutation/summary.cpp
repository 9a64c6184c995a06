// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/names.h"
#include "report/common/mutant_text.h"
#include "report/common/text.h"
#include "report/index/summaries.h"
#include "report/mutation/report.h"

#include <fmt/format.h>

namespace gputest::report {
namespace {

std::string with_sign(char sign, const std::string& text) {
  std::string lines;
  if (text.empty())
    return lines;
  for (const std::string_view line : split_lines(text))
    lines += fmt::format("{} {}\n", sign, clean(line));
  return lines;
}

// The lines of the mutant as they are and as it has them; of code that a macro makes, the changed
// text alone. A launch with other sizes changes no line.
std::string diff_of(const model::Mutation& mutation, const model::Mutant& mutant) {
  if (mutant.kind == model::MutantKind::Launch)
    return "";
  const auto plain = [&] {
    return with_sign('-', mutant.text) + with_sign('+', mutant.replacement);
  };
  const auto source = mutation.sources.find(mutant.file.empty() ? mutation.source : mutant.file);
  if (source == mutation.sources.end())
    return plain();
  const std::vector<std::string_view> lines = split_lines(source->second);
  if (mutant.line == 0 || mutant.end_line < mutant.line || mutant.end_line > lines.size())
    return plain();
  std::string before;
  for (unsigned line = mutant.line; line <= mutant.end_line; ++line)
    before += std::string(lines[line - 1]) + (line < mutant.end_line ? "\n" : "");
  const std::size_t begin = mutant.column - 1,
                    behind = lines[mutant.end_line - 1].size() + 1 - mutant.end_column;
  if (mutant.column == 0 || mutant.end_column > lines[mutant.end_line - 1].size() + 1 ||
      begin + behind > before.size() ||
      model::folded(std::string_view(before).substr(begin, before.size() - behind - begin)) !=
          mutant.text)
    return plain();
  std::string after = before;
  after.replace(begin, before.size() - behind - begin, mutant.replacement);
  const std::size_t indentation = before.find_first_not_of(" \t");
  if (indentation != std::string::npos && indentation <= begin) {
    before.erase(0, indentation);
    after.erase(0, indentation);
  }
  return with_sign('-', before) + with_sign('+', after);
}

} // namespace

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
    if (const std::uint64_t left = tallies.of(model::Verdict::NotRun); left > 0)
      summary.detail += fmt::format(", {} not run", left);
    if (mutation.threshold && summary.percent && *summary.percent < *mutation.threshold)
      summary.failures.push_back(
          fmt::format("the score of {:.4g} % is below the threshold of {:g} %", *summary.percent,
                      *mutation.threshold));
    for (const model::MutantResult& result : mutation.results) {
      if (result.verdict == model::Verdict::NotRun)
        summary.not_run.push_back(result.mutant.id);
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
                 result.mutant.text, result.mutant.replacement, outcome_text(result)),
             diff_of(mutation, result.mutant)});
    }
  }
  return all;
}

} // namespace gputest::report
