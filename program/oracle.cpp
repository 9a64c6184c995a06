// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/oracle.h"

#include "model/files.h"
#include "model/text/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::program {
namespace {

using model::KillReason;
using model::Verdict;

constexpr std::array<std::string_view, 21> kSelfCheckWords{
    "pass",     "passed",     "passes",   "fail",         "failed",    "fails",      "failure",
    "error",    "errors",     "mismatch", "mismatches",   "correct",   "incorrect",  "wrong",
    "verified", "successful", "success",  "verification", "validated", "validation", "invalid"};

struct Word {
  std::string text;
  std::size_t line = 1;
};

// Returns the first word of a self-check, as it is written.
std::optional<Word> self_check_word(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (!model::is_of_word(text[at])) {
      line += text[at++] == '\n' ? 1 : 0;
      continue;
    }
    std::size_t end = at;
    std::string lower;
    for (; end < text.size() && model::is_of_word(text[end]); ++end)
      lower += static_cast<char>(std::tolower(static_cast<unsigned char>(text[end])));
    if (std::ranges::find(kSelfCheckWords, lower) != kSelfCheckWords.end())
      return Word{std::string(text.substr(at, end - at)), line};
    at = end;
  }
  return std::nullopt;
}

} // namespace

bool is_weak(const model::MutantResult& result) {
  return result.verdict == Verdict::Survived && result.detail.starts_with(kWeakOracle);
}

void add_oracle(nlohmann::ordered_json& key, const model::Oracle& oracle) {
  if (const std::string text = model::text_of(oracle); text != model::text_of(model::Oracle{}))
    key["oracle"] = text;
}

unsigned ProgramOracle::baseline(unsigned usual) const {
  constexpr unsigned kToCompare = 3; // what varies by itself shows more often
  return asked_.compares_output() || asked_.reads ? std::max(usual, kToCompare) : usual;
}

std::string ProgramOracle::add_original(const ChildResult& result, const std::string& output) {
  if (result.timed_out || result.signal != 0 || (asked_.exit_code && result.exit_code != 0))
    return result.text();
  if (asked_.fail_expression)
    if (const auto line = model::line_with(*asked_.fail_expression, output))
      return fmt::format("its own output matches FAIL_REGULAR_EXPRESSION '{}': '{}'",
                         *asked_.fail_expression, shown_line(*line));
  if (asked_.pass_expression && !model::line_with(*asked_.pass_expression, output))
    return fmt::format("its own output does not match PASS_REGULAR_EXPRESSION '{}'{}",
                       *asked_.pass_expression,
                       output.empty() ? ": it prints nothing"
                                      : fmt::format(": its last line is '{}'", last_line(output)));
  varies_in_code_ = varies_in_code_ || (exit_code_ && *exit_code_ != result.exit_code);
  if (!exit_code_)
    if (const auto word = self_check_word(output))
      self_check_ = fmt::format("prints '{}' (line {} of its output)", word->text, word->line);
  exit_code_ = result.exit_code;
  output_.add(output);
  return "";
}

std::string clause_of(const std::string& problem, const ChildResult& result) {
  return problem == result.text() ? "it failed: " + problem : problem;
}

std::string ProgramOracle::problem() const {
  if (!asked_.compares_output())
    return "";
  if (output_.varies_in_lines())
    return "it does not print the same number of lines each time, so that its output cannot be "
           "compared: give ORACLE OUTPUT a FAIL_REGULAR_EXPRESSION or a PASS_REGULAR_EXPRESSION "
           "(--fail-regex, --pass-regex)";
  if (output_.is_empty())
    return "it prints nothing that ORACLE OUTPUT could compare";
  return "";
}

std::optional<RunVerdict> ProgramOracle::noticed(const ChildResult& result,
                                                 const std::string& output) const {
  if (result.signal != 0)
    return RunVerdict{Verdict::Killed, KillReason::Crash, result.text()};
  const auto fails = [](std::string detail) {
    return RunVerdict{Verdict::Killed, KillReason::ProgramFailed, std::move(detail)};
  };
  if (asked_.exit_code ? result.exit_code != 0
                       : !varies_in_code_ && result.exit_code != exit_code_.value_or(0))
    return fails(result.text());
  if (!asked_.output)
    return std::nullopt;
  if (asked_.fail_expression)
    if (const auto line = model::line_with(*asked_.fail_expression, output))
      return fails(fmt::format("its output matches FAIL_REGULAR_EXPRESSION '{}': '{}'",
                               *asked_.fail_expression, shown_line(*line)));
  if (asked_.pass_expression && !model::line_with(*asked_.pass_expression, output))
    return fails(fmt::format("its output does not match PASS_REGULAR_EXPRESSION '{}'",
                             *asked_.pass_expression));
  if (asked_.compares_output())
    if (std::string difference = output_.difference(output); !difference.empty())
      return fails("its output: " + difference);
  return std::nullopt;
}

RunVerdict ProgramOracle::judge(const ChildResult& result, const std::string& output,
                                const std::string& difference) const {
  if (auto verdict = noticed(result, output))
    return *std::move(verdict);
  if (difference.empty())
    return {};
  if (asked_.reads)
    return {Verdict::Killed, KillReason::WrongOutput, difference};
  return {Verdict::Survived, std::nullopt,
          std::string(kWeakOracle) + difference + ", and it does not notice"};
}

std::string ProgramOracle::note() const {
  if (asked_.is_given || self_check_.empty())
    return "";
  return fmt::format("{}, and the verdict does not look at the output: {}", self_check_,
                     kAskForOutput);
}

model::CaseVerdict JudgedRun::verdict() const {
  using model::CaseVerdict;
  return passes()             ? CaseVerdict::Passed
         : result.timed_out   ? CaseVerdict::Timeout
         : result.signal != 0 ? CaseVerdict::Crashed
                              : CaseVerdict::Failed;
}

JudgedRun judged_run(const ChildResult& result, const model::Oracle& oracle,
                     const std::string& output) {
  model::Oracle single = oracle;
  if (!oracle.fail_expression && !oracle.pass_expression) // nothing else can judge it
    single.exit_code = true;
  return {result, ProgramOracle(single).add_original(result, output)};
}

JudgedRun run_judged(ChildSettings child, const model::Oracle& oracle,
                     const std::filesystem::path& file,
                     const std::function<ChildResult(const ChildSettings&)>& run) {
  if (!oracle.fail_expression && !oracle.pass_expression)
    return judged_run(run(child), oracle, "");
  child.output = file;
  child.input_from = repeatable_input();
  const ChildResult result = run(child);
  const std::string output = model::read_text(file).value_or("");
  std::fwrite(output.data(), 1, output.size(), stdout);
  std::fflush(stdout);
  return judged_run(result, oracle, output);
}

} // namespace gputest::program
