// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/text.h"
#include "model/time/over.h"

#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::MutantResult;
using model::Verdict;

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} %", *value) : "-";
}

// "41 killed, 3 survived, 1 no_coverage".
std::string counts(const model::Tallies& tallies) {
  std::string text;
  for (const auto& [verdict, count] : tallies.count)
    if (count != 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, model::name_of(verdict));
  if (tallies.indistinct > 0)
    text +=
        fmt::format("{}{} of fences not told apart", text.empty() ? "" : ", ", tallies.indistinct);
  return text.empty() ? "no mutants" : text;
}

std::string survivor_text(const MutantResult& result) {
  if (model::is_indistinct(result))
    return "";
  const std::size_t cases = result.reached_by.size();
  switch (result.verdict) {
  case Verdict::Survived:
    return fmt::format("{} survived ({} case{} reached it)\n", mutant_text(result.mutant), cases,
                       cases == 1 ? "" : "s");
  case Verdict::Undecided:
    return fmt::format("{} undecided ({})\n", mutant_text(result.mutant),
                       result.detail.substr(0, result.detail.find('\n')));
  case Verdict::NoCoverage:
    return fmt::format("{} not reached by any case\n", mutant_text(result.mutant));
  case Verdict::CompileError:
    return fmt::format("{} does not compile\n", mutant_text(result.mutant));
  default:
    return "";
  }
}

} // namespace

std::string mutant_text(const model::Mutant& mutant) {
  return fmt::format("{}:{}:{}: {}: '{}' → '{}'", mutant.file, mutant.line, mutant.column,
                     mutant.operators.empty() ? "" : mutant.operators.front(), mutant.text,
                     mutant.replacement);
}

std::string verdict_text(const MutantResult& result) {
  return fmt::format("{}: {} ({}){}{}{}\n", model::name_of(result.verdict),
                     mutant_text(result.mutant), result.mutant.id,
                     result.reason ? fmt::format(", {}", model::name_of(*result.reason)) : "",
                     result.order.empty() ? "" : fmt::format(", order {}", result.order),
                     result.detail.empty() ? "" : "\n  " + result.detail);
}

std::string mutation_text(const model::Mutation& mutation) {
  const model::Tallies tallies = model::tally(mutation.results);
  std::string text;
  std::size_t shown = 0, more = 0;
  for (const MutantResult& result : mutation.results) {
    const std::string line = survivor_text(result);
    if (line.empty())
      continue;
    if (shown == kShownSurvivors)
      ++more;
    else
      ++shown, text += line;
  }
  if (more > 0)
    text += fmt::format("and {} more: `gputest report` shows all\n", more);
  text += fmt::format("{:<34} {:>8} {:>8} {:>8}\n", "operator", "mutants", "killed", "score");
  for (const auto& [name, of_operator] : model::tally_by_operator(std::span(&mutation, 1)))
    text += fmt::format("{:<34} {:>8} {:>8} {:>8}\n", name, of_operator.total,
                        of_operator.of(Verdict::Killed), percent(of_operator.score()));
  if (!mutation.deterministic)
    text += "the original's outputs differ from run to run: what a mutant computes is compared "
            "with their range\n";
  if (mutation.sample_seed) {
    text += fmt::format("a sample of {} of {} mutants, seed {}", mutation.results.size(),
                        mutation.population, *mutation.sample_seed);
    if (const auto interval = model::confidence(tallies, mutation.population))
      text += fmt::format("; the score of all is between {:.1f} and {:.1f} % (95 % confidence)",
                          interval->low, interval->high);
    text += '\n';
  }
  if (const auto left = tallies.of(Verdict::NotRun); left > 0)
    text += fmt::format("{} of {} mutants not run: {}; run again to "
                        "go on\n",
                        left, tallies.total, model::over_text(mutation.time_limit));
  text += fmt::format("{}: mutation score {} ({}) on {}, {} run in {:.2f} s\n", mutation.name,
                      percent(tallies.score()), counts(tallies), mutation.device, mutation.executed,
                      mutation.seconds);
  return text;
}

} // namespace gputest::runtime
