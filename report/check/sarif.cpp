// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/checks/checks.h"
#include "report/check/report.h"
#include "report/common/columns.h"
#include "report/common/site.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::report {
namespace {

// Returns a rule for each kind that a check can find, and for kinds in results of another version.
std::vector<model::KindOfFinding> all_kinds(const CheckReport& report) {
  std::vector<model::KindOfFinding> kinds;
  const auto add = [&](const model::KindOfFinding& kind) {
    if (std::ranges::find(kinds, kind.name, &model::KindOfFinding::name) == kinds.end())
      kinds.push_back(kind);
  };
  for (const model::CheckRow& check : model::check_rows())
    std::ranges::for_each(check.kinds, add);
  std::ranges::for_each(model::other_kinds(), add);
  for (const CheckedKernel& kernel : report.kernels)
    for (const model::CheckedFinding& found : kernel.results.findings)
      add({found.finding.kind, found.finding.kind});
  return kinds;
}

} // namespace

std::string check_sarif(const CheckReport& report, const SourceTree& sources) {
  const std::vector<model::KindOfFinding> kinds = all_kinds(report);
  Utf16Columns columns(sources);
  const std::filesystem::path& root = sources.roots.front();
  Json rules = Json::array(), results = Json::array();
  for (const model::KindOfFinding& kind : kinds) {
    rules.push_back(
        {{"id", clean(kind.name)}, {"shortDescription", {{"text", clean(kind.summary)}}}});
    if (kind.summary != kind.name) // of another version: nobody has written of it
      add_help(rules.back(), fmt::format("finding-{}", kind.name));
  }
  for (const CheckedKernel& kernel : report.kernels)
    for (const model::CheckedFinding& found : kernel.results.findings) {
      const model::Finding& finding = found.finding;
      model::CodePlace site = finding.site;
      if (site.line == 0)
        site = {kernel.results.source, 0, 0};
      Json result{
          {"ruleId", clean(finding.kind)},
          {"ruleIndex",
           std::ranges::find(kinds, finding.kind, &model::KindOfFinding::name) - kinds.begin()},
          {"level", "error"},
          {"message",
           {{"text", clean(fmt::format("kernel '{}', case '{}': {}", kernel.results.kernel,
                                       found.cases.front(), finding.message))}}},
          {"locations", Json::array({sarif_location(site, columns, root)})}};
      if (finding.other.line != 0) {
        Json other = sarif_location(finding.other, columns, root);
        other["message"] = {{"text", "the other place"}};
        result["relatedLocations"] = Json::array({std::move(other)});
      }
      result["partialFingerprints"] = {
          {"gputestCheck/v1", clean(fmt::format("{}/{}/{}", kernel.results.name,
                                                kernel.results.kernel, model::pair_of(finding)))}};
      result["properties"] = {{"cases", found.cases.size()}, {"count", finding.count}};
      results.push_back(std::move(result));
    }
  return sarif_log(std::move(rules), std::move(results));
}

} // namespace gputest::report
