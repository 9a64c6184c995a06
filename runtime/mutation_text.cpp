#include "runtime/mutation_text.h"

#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

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
  return text.empty() ? "no mutants" : text;
}

std::string survivor_text(const MutantResult& result) {
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
  text += fmt::format("{}: mutation score {} ({}) on {}, {} run in {:.2f} s\n", mutation.name,
                      percent(tallies.score()), counts(tallies), mutation.device, mutation.executed,
                      mutation.seconds);
  return text;
}

ProgressLine::ProgressLine(std::uint64_t total)
    : total_(total), is_terminal_(::isatty(STDOUT_FILENO) != 0) {}

void ProgressLine::show(std::uint64_t done, std::uint64_t killed, std::uint64_t survived,
                        std::uint64_t executed) {
  const auto now = Clock::now();
  if (!start_)
    start_ = now;
  if (!is_terminal_ || now - last_ < std::chrono::milliseconds(200))
    return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - *start_).count();
  const double rate = seconds > 0 ? static_cast<double>(executed) / seconds : 0;
  fmt::print("\r\033[K{}", progress_text(done, total_, killed, survived, rate));
  std::fflush(stdout);
  is_shown_ = true;
}

void ProgressLine::clear() {
  if (is_shown_)
    fmt::print("\r\033[K");
  is_shown_ = false;
  std::fflush(stdout);
}

std::string progress_text(std::uint64_t done, std::uint64_t total, std::uint64_t killed,
                          std::uint64_t survived, double per_second) {
  std::string text =
      fmt::format("{}/{} mutants, {} killed, {} survived", done, total, killed, survived);
  if (per_second > 0)
    text += fmt::format(", {:.0f} per second, {:.0f} s left", per_second,
                        static_cast<double>(total - done) / per_second);
  return text;
}

} // namespace gputest::runtime
