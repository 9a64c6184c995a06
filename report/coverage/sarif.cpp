// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/columns.h"
#include "report/common/findings.h"
#include "report/common/sarif_log.h"
#include "report/common/site.h"
#include "report/common/text.h"
#include "report/coverage/outputs.h"

#include <array>
#include <fmt/format.h>
#include <map>

namespace gputest::report {
namespace {

struct Rule {
  std::string_view id, level, summary;
};

// The first ones are indexed by Severity.
constexpr std::array kRules{
    Rule{"divergent_barrier", "error", "Work-items of a group disagree on a way to a barrier"},
    Rule{"not_instrumented", "warning", "A construct whose coverage is not measured"},
    Rule{"missing_outcome", "note", "An outcome that no test case reaches"},
    Rule{"failed_case", "error", "A test case that fails"},
    Rule{"missed_threshold", "error", "Coverage below a threshold"}};
constexpr std::size_t kFailedCase = 3, kMissedThreshold = 4;

class Results {
public:
  explicit Results(const SourceTree& sources) : columns_(sources), root_(sources.roots.front()) {}

  void add(std::size_t rule, const model::CodePlace& place, const std::string& message) {
    const std::string mark = fmt::format("{}/{}", clean(place.file), message);
    const unsigned again = seen_[mark]++;
    list_.push_back(
        {{"ruleId", kRules[rule].id},
         {"ruleIndex", rule},
         {"level", kRules[rule].level},
         {"message", {{"text", message}}},
         {"locations", Json::array({sarif_location(place, columns_, root_)})},
         {"partialFingerprints",
          {{"gputestCoverage/v1", again == 0 ? mark : fmt::format("{}/{}", mark, again + 1)}}}});
  }
  Json take() { return std::move(list_); }

private:
  Utf16Columns columns_;
  std::filesystem::path root_;
  std::map<std::string, unsigned> seen_; // texts occur more than once in a file
  Json list_ = Json::array();
};

} // namespace

std::string coverage_sarif(const Report& report, const SourceTree& sources) {
  Json rules = Json::array();
  for (const Rule& rule : kRules) {
    rules.push_back({{"id", rule.id},
                     {"shortDescription", {{"text", rule.summary}}},
                     {"defaultConfiguration", {{"level", rule.level}}}});
    add_help(rules.back(), "coverage");
  }
  Results results(sources);
  for (const MissedThreshold& missed : report.missed)
    results.add(kMissedThreshold, {missed.source, 0, 0},
                clean(missed.label.empty() ? "all kernels" : missed.label) + ": " +
                    model::text_of(missed.miss));
  for (const model::Coverage& kernel : report.kernels)
    for (const model::CaseRecord& record : kernel.cases)
      if (record.verdict != "passed")
        results.add(kFailedCase, {kernel.source, 0, 0},
                    clean(fmt::format("{}: case '{}' {}: {}", label_of(kernel), record.name,
                                      record.verdict, record.message)));
  for (const CoverageFinding& finding : findings_of(report.all))
    results.add(static_cast<std::size_t>(finding.severity),
                {finding.file, finding.line, finding.column}, sentence(finding));
  return sarif_log(std::move(rules), results.take());
}

} // namespace gputest::report
