#include "report/common/columns.h"
#include "report/common/findings.h"
#include "report/common/sarif_log.h"
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

// Indexed by Severity.
constexpr std::array kRules{
    Rule{"divergent_barrier", "error", "Work-items of a group disagree on a way to a barrier"},
    Rule{"not_instrumented", "warning", "A construct whose coverage is not measured"},
    Rule{"missing_outcome", "note", "An outcome that no test case reaches"}};

} // namespace

std::string coverage_sarif(const Report& report, const SourceTree& sources) {
  Utf16Columns columns(sources);
  Json rules = Json::array(), results = Json::array();
  for (const Rule& rule : kRules)
    rules.push_back({{"id", rule.id},
                     {"shortDescription", {{"text", rule.summary}}},
                     {"defaultConfiguration", {{"level", rule.level}}}});
  std::map<std::string, unsigned> seen; // texts occur more than once in a file
  for (const Finding& finding : findings_of(report.all)) {
    const std::string mark = fmt::format("{}/{}", clean(finding.file), sentence(finding));
    const unsigned again = seen[mark]++;
    const auto index = static_cast<std::size_t>(finding.severity);
    results.push_back(
        {{"ruleId", kRules[index].id},
         {"ruleIndex", index},
         {"level", kRules[index].level},
         {"message", {{"text", sentence(finding)}}},
         {"locations", Json::array({sarif_location({finding.file, finding.line, finding.column},
                                                   columns, sources.roots.front())})},
         {"partialFingerprints",
          {{"gputestCoverage/v1", again == 0 ? mark : fmt::format("{}/{}", mark, again + 1)}}}});
  }
  return sarif_log(std::move(rules), std::move(results));
}

} // namespace gputest::report
