#include "report/index/summaries.h"

#include "model/json.h"
#include "report/check/report.h"
#include "report/common/findings.h"
#include "report/common/mutant_text.h"
#include "report/common/text.h"
#include "report/coverage/report.h"
#include "report/mutation/report.h"
#include "report/schedules/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace gputest::report {

using Json = nlohmann::ordered_json;

const char* name_of(Level level) {
  constexpr std::array names{"full", "fair", "poor", "nothing"};
  return names[static_cast<std::size_t>(level)];
}

Level level_of(std::optional<double> percent) {
  return !percent          ? Level::Nothing
         : *percent >= 100 ? Level::Full
         : *percent >= 75  ? Level::Fair
                           : Level::Poor;
}

namespace {

std::string first_line(const std::string& text) {
  return std::string(split_lines(text).front());
}

// The first two lines, of which the first one often ends with a colon.
std::string beginning(const std::string& text) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::string begin(lines.front());
  if (lines.size() > 1)
    begin += " " + std::string(
                       lines[1].substr(std::min(lines[1].find_first_not_of(' '), lines[1].size())));
  return begin;
}

std::string case_text(const std::string& name, const std::string& verdict,
                      const std::string& message) {
  return fmt::format("case '{}' {}{}", name, verdict,
                     message.empty() ? "" : ": " + beginning(message));
}

std::string place(const std::string& file, unsigned line, unsigned column) {
  return fmt::format("{}:{}:{}", file, line, column);
}

// "2/3" of cases, by which the level goes.
void tell_cases(Summary& summary, std::size_t good, std::size_t all, const char* what) {
  summary.value = fmt::format("{}/{}", good, all);
  summary.detail = what;
  if (all > 0)
    summary.percent = 100.0 * static_cast<double>(good) / static_cast<double>(all);
  summary.level = all == 0 ? Level::Nothing : good == all ? Level::Full : Level::Poor;
  if (all == 0)
    summary.failures.emplace_back("no case ran");
}

template <typename Read>
std::vector<Summary> read(const std::filesystem::path& file, Read summarize) {
  return model::read_json_file(
      file, [&](const Json& json) { return std::vector<Summary>{summarize(json)}; });
}

Summary about(const Json& json) {
  return {.name = model::optional<std::string>(json, "name").value_or(""),
          .kernel = model::required<std::string>(json, "kernel"),
          .source = model::optional<std::string>(json, "source").value_or(""),
          .device = model::optional<std::string>(json, "device").value_or(""),
          .value = "",
          .detail = ""};
}

Summary of_tests(const Json& json) {
  model::expect_format(json, "gputest-test-1");
  Summary summary = about(json);
  std::size_t passed = 0;
  const Json& cases = model::required_array(json, "cases");
  for (const Json& one : cases) {
    const auto name = model::required<std::string>(one, "name");
    const auto verdict = model::required<std::string>(one, "verdict");
    const std::string oracle = model::optional<std::string>(one, "oracle").value_or("");
    if (verdict == "passed")
      ++passed;
    else
      summary.failures.push_back(
          case_text(name, verdict, model::required<std::string>(one, "message")));
    if (oracle == "none")
      summary.unverified.push_back(
          fmt::format("case '{}': nothing says what the outputs should be", name));
    else if (!oracle.empty())
      summary.unverified.push_back(
          fmt::format("case '{}': expected outputs are {}, not verified", name, oracle));
  }
  tell_cases(summary, passed, cases.size(), "passed");
  if (!summary.unverified.empty() && summary.level == Level::Full)
    summary.level = Level::Fair;
  return summary;
}

Summary of_fuzzing(const Json& json) {
  model::expect_format(json, "gputest-fuzz-1");
  Summary summary = about(json);
  const Json& findings = model::required_array(json, "findings");
  for (const Json& finding : findings) {
    const auto message = model::required<std::string>(finding, "message");
    summary.failures.push_back(message);
    summary.open.push_back(
        {model::required<std::string>(finding, "kind") + " " + summary.kernel, message});
  }
  summary.value = findings.empty() ? "none" : std::to_string(findings.size());
  summary.detail = fmt::format("{} in {}", findings.size() == 1 ? "failure" : "failures",
                               plural(model::required<std::uint64_t>(json, "inputs"), "input"));
  summary.level = findings.empty() ? Level::Full : Level::Poor;
  return summary;
}

// Lost cycles are no failure by themselves: a kernel may do what it must.
Summary of_memory(const Json& json) {
  Summary summary = about(json);
  if (const auto overhead = model::optional<double>(json, "overhead_percent")) {
    summary.value = fmt::format("{:.0f} %", *overhead);
    summary.detail = "of cycles lost to evictions";
    summary.level = *overhead < 5 ? Level::Full : *overhead < 25 ? Level::Fair : Level::Poor;
  }
  return summary;
}

Summary of_generation(const Json& json) {
  model::expect_format(json, "gputest-generation-1");
  Summary summary = about(json);
  std::size_t reached = 0, open = 0;
  for (const char* goals : {"outcomes", "mutants"})
    for (const Json& goal : model::required_array(json, goals)) {
      const auto state = model::required<std::string>(goal, "state");
      reached += state == "reached" ? 1 : 0;
      open += state == "open" ? 1 : 0;
    }
  const std::size_t all = reached + open;
  summary.value = fmt::format("{}/{}", reached, all);
  summary.detail = fmt::format("reached; {} written",
                               plural(model::required_array(json, "cases").size(), "case"));
  if (all > 0)
    summary.percent = 100.0 * static_cast<double>(reached) / static_cast<double>(all);
  summary.level = level_of(summary.percent);
  return summary;
}

} // namespace

std::vector<Summary> test_summary(const std::filesystem::path& file) {
  return read(file, of_tests);
}

std::vector<Summary> fuzz_summary(const std::filesystem::path& file) {
  return read(file, of_fuzzing);
}

std::vector<Summary> memory_summary(const std::filesystem::path& file) {
  return read(file, of_memory);
}

std::vector<Summary> generation_summary(const std::filesystem::path& file) {
  return model::read_json_file(file, [](const Json& json) {
    model::expect_format(json, "gputest-generation-report-1");
    std::vector<Summary> all;
    for (const Json& kernel : model::required_array(json, "kernels"))
      all.push_back(of_generation(kernel));
    return all;
  });
}

// The worst criterion speaks for all of them.
std::vector<Summary> coverage_summary(const std::filesystem::path& file) {
  const model::Coverage coverage = model::read_coverage(file);
  const model::Criteria criteria = model::tally(coverage);
  Summary summary{.name = coverage.name,
                  .kernel = coverage.kernel,
                  .source = coverage.source,
                  .device = coverage.device,
                  .value = "–",
                  .detail = "nothing to cover"};
  if (const auto worst = worst_criterion(criteria)) {
    const model::Tally& tally = criteria.of(*worst);
    summary.percent = tally.percent();
    summary.value = percent_text(tally);
    summary.detail =
        fmt::format("{}, {} of {}", model::name_of(*worst), tally.covered, tally.total);
    summary.level = level_of(summary.percent);
  }
  for (const model::Miss& miss : model::missed(criteria, coverage.thresholds))
    summary.failures.push_back(model::text_of(miss));
  for (const model::CaseRecord& record : coverage.cases)
    if (record.verdict != "passed")
      summary.failures.push_back(case_text(record.name, record.verdict, record.message));
  for (const Finding& finding : findings_of(coverage)) {
    if (finding.severity == Severity::Warning)
      continue;
    const std::string text =
        fmt::format("{}: {}", place(finding.file, finding.line, finding.column), sentence(finding));
    if (finding.severity == Severity::Error)
      summary.failures.push_back(text);
    else
      summary.open.push_back({fmt::format("{} {}", finding.file, sentence(finding)), text});
  }
  return {summary};
}

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
             fmt::format("{}: '{}' → '{}' {}",
                         place(result.mutant.file.empty() ? mutation.source : result.mutant.file,
                               result.mutant.line, result.mutant.column),
                         result.mutant.text, result.mutant.replacement, outcome_text(result))});
  }
  return all;
}

std::vector<Summary> schedules_summary(const std::filesystem::path& file) {
  const model::Schedules schedules = model::read_schedules(file);
  Summary summary{.name = schedules.name,
                  .kernel = schedules.kernel,
                  .source = schedules.source,
                  .device = schedules.device,
                  .value = "",
                  .detail = ""};
  std::size_t held = 0;
  for (const model::ScheduledCase& scheduled : schedules.cases) {
    held += holds(scheduled) ? 1 : 0;
    if (!holds(scheduled))
      summary.failures.push_back(case_text(
          scheduled.name, scheduled.verdict,
          scheduled.findings.empty() ? scheduled.message : scheduled.findings.front().message));
    for (const model::ScheduleFinding& finding : scheduled.findings)
      summary.open.push_back(
          {fmt::format("{} {}", scheduled.name, model::name_of(finding.kind)),
           fmt::format("case '{}': {}", scheduled.name, first_line(finding.message))});
  }
  for (const model::NotInstrumented& entry : schedules.not_remapped)
    summary.failures.push_back(fmt::format("{}: {} cannot be remapped: {}",
                                           place(entry.file, entry.line, entry.column),
                                           entry.construct, entry.reason));
  tell_cases(summary, held, schedules.cases.size(), "cases hold");
  return {summary};
}

std::vector<Summary> check_summary(const std::filesystem::path& file) {
  const model::CheckResults results = model::read_check_results(file);
  Summary summary{.name = results.name,
                  .kernel = results.kernel,
                  .source = results.source,
                  .device = results.device,
                  .value = "",
                  .detail = ""};
  std::size_t held = 0;
  for (const model::CheckedCase& checked : results.cases) {
    held += holds(checked) ? 1 : 0;
    if (checked.verdict != "passed")
      summary.failures.push_back(case_text(checked.name, checked.verdict, checked.message));
  }
  for (const FindingsOfCause& group : by_cause(results.findings)) {
    const model::Finding& finding = group.first->finding;
    summary.failures.push_back(
        fmt::format("{}{}", finding.site.line == 0 ? "" : model::place_text(finding.site) + ": ",
                    first_line(finding.message)));
    summary.open.push_back({model::pair_of(finding), summary.failures.back()});
  }
  tell_cases(summary, held, results.cases.size(), "cases without findings");
  if (!results.findings.empty())
    summary.detail += fmt::format(", {}", plural(results.findings.size(), "finding"));
  return {summary};
}

} // namespace gputest::report
