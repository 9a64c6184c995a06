// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/findings.h"
#include "report/common/sarif_places.h"
#include "report/common/text.h"
#include "report/coverage/outputs.h"

#include <array>
#include <fmt/format.h>

namespace gputest::report {
namespace {

struct CoverageRule {
  std::string_view id, level, summary, more;
};

// The first ones are indexed by Severity.
constexpr std::array kCoverageRules{
    CoverageRule{"divergent_barrier", "error",
                 "Work-items of a group disagree on a way to a barrier",
                 "A barrier that not all work-items of a group reach is undefined behaviour."},
    CoverageRule{"not_instrumented", "warning", "A construct whose coverage is not measured",
                 "Its outcomes count neither as reached nor as missing."},
    CoverageRule{"missing_outcome", "note", "An outcome that no test case reaches",
                 "A fault that shows only with this outcome would stay unnoticed: add a case."},
    CoverageRule{"failed_case", "error", "A test case that fails",
                 "The kernel does not compute what the case expects, or does not end."},
    CoverageRule{"missed_threshold", "error", "Coverage below a threshold",
                 "The project asks for more coverage than its test cases reach."}};
constexpr std::size_t kFailedCase = 3, kMissedThreshold = 4;

} // namespace

std::string coverage_sarif(const Report& report, const SourceTree& sources) {
  SarifRun run{.kind = "coverage"};
  for (const CoverageRule& rule : kCoverageRules)
    run.rules.push_back(sarif_rule({.id = std::string(rule.id),
                                    .summary = std::string(rule.summary),
                                    .more = std::string(rule.more),
                                    .level = rule.level,
                                    .page = "coverage"}));
  SarifPlaces places(sources);
  const auto add = [&](std::size_t rule, const model::CodePlace& place, const std::string& message,
                       const std::string& mark) {
    run.results.push_back(places.result({.rule = kCoverageRules[rule].id,
                                         .index = rule,
                                         .level = kCoverageRules[rule].level,
                                         .message = message,
                                         .place = place,
                                         .fingerprints = "gputestCoverage/v1",
                                         .mark = fmt::format("{}/{}", place.file, mark)}));
  };
  for (const MissedThreshold& missed : report.missed) {
    const std::string label = missed.label.empty() ? "all kernels" : missed.label;
    add(kMissedThreshold, {missed.source, 0, 0}, label + ": " + model::text_of(missed.miss),
        fmt::format("{}/{}", label, model::name_of(missed.miss.criterion)));
  }
  for (const model::Coverage& kernel : report.kernels)
    for (const model::CaseRecord& record : kernel.cases)
      if (record.verdict != model::CaseVerdict::Passed)
        add(kFailedCase, places.kernel(kernel.source, kernel.kernel),
            fmt::format("{}: case '{}' {}: {}", label_of(kernel), record.name,
                        model::name_of(record.verdict), record.message),
            fmt::format("{}/{}/{}", label_of(kernel), record.name, model::name_of(record.verdict)));
  for (const CoverageFinding& finding : findings_of(report.all))
    add(static_cast<std::size_t>(finding.severity), {finding.file, finding.line, finding.column},
        sentence(finding), clean(sentence(finding)));
  return sarif_log(std::move(run));
}

} // namespace gputest::report
