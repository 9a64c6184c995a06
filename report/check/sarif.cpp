// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/checks/checks.h"
#include "report/check/report.h"
#include "report/common/sarif_places.h"
#include "report/common/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace gputest::report {
namespace {

// A kind of findings with what the check that finds it looks for; empty: no check alone does.
struct KindRule {
  model::KindOfFinding kind;
  std::string_view finds;
};

// Returns the findings, and after them those that are suppressed, with who does it.
std::vector<std::pair<const model::CheckedFinding*, const model::SuppressedBy*>>
findings_of(const CheckedKernel& kernel) {
  std::vector<std::pair<const model::CheckedFinding*, const model::SuppressedBy*>> all;
  for (const model::CheckedFinding& found : kernel.results.findings)
    all.emplace_back(&found, nullptr);
  for (const model::SuppressedFinding& one : kernel.results.suppressed)
    all.emplace_back(&one.found, &one.by);
  return all;
}

// Returns a rule for each kind that a check can find, and for kinds in results of another version.
std::vector<KindRule> all_kinds(const CheckReport& report) {
  std::vector<KindRule> kinds;
  const auto add = [&](const model::KindOfFinding& kind, std::string_view finds) {
    if (std::ranges::none_of(kinds,
                             [&](const KindRule& known) { return known.kind.name == kind.name; }))
      kinds.push_back({kind, finds});
  };
  for (const model::CheckRow& check : model::check_rows())
    for (const model::KindOfFinding& kind : check.kinds)
      add(kind, check.finds);
  for (const model::KindOfFinding& kind : model::other_kinds())
    add(kind, "");
  for (const CheckedKernel& kernel : report.kernels)
    for (const auto& [found, by] : findings_of(kernel))
      add({found->finding.kind, found->finding.kind}, "");
  return kinds;
}

Json rule_of(const KindRule& rule) {
  const bool is_known = rule.kind.summary != rule.kind.name; // else nobody has written of it
  return sarif_rule(
      {.id = std::string(rule.kind.name),
       .summary = std::string(rule.kind.summary),
       .more = rule.finds.empty() ? "" : fmt::format("The check looks for {}.", rule.finds),
       .level = "error",
       .page = is_known ? fmt::format("finding-{}", rule.kind.name) : ""});
}

// Says what the other place of a finding is.
std::string_view other_text(const std::string& kind) {
  return kind.find("race") != std::string::npos || kind == "lock_step" ? "the other access"
         : kind.starts_with("divergent") ? "where other work-items wait"
                                         : "the other place";
}

// What the finding is about, without lines, which move.
std::string mark_of(const CheckedKernel& kernel, const model::Finding& finding,
                    SarifPlaces& places) {
  std::string here = finding.site.file + ':' + places.line_text(finding.site),
              there = finding.other.file + ':' + places.line_text(finding.other);
  if (there < here) // whichever access came first
    std::swap(here, there);
  const std::string kind = finding.kind == "race_same_value" ? "race" : finding.kind;
  return fmt::format("{}/{}/{}/{}/{}/{}", kernel.results.name, kernel.results.kernel, kind,
                     finding.object, here, there);
}

} // namespace

std::string check_sarif(const CheckReport& report, const SourceTree& sources) {
  const std::vector<KindRule> kinds = all_kinds(report);
  SarifPlaces places(sources);
  SarifRun run{.kind = "check"};
  for (const KindRule& kind : kinds)
    run.rules.push_back(rule_of(kind));
  for (const CheckedKernel& kernel : report.kernels)
    for (const auto& [found, by] : findings_of(kernel)) {
      const model::Finding& finding = found->finding;
      const model::CodePlace site =
          finding.site.line == 0 ? places.kernel(kernel.results.source, kernel.results.kernel)
                                 : finding.site;
      const auto rule = std::ranges::find_if(
          kinds, [&](const KindRule& known) { return known.kind.name == finding.kind; });
      Json result{
          {"ruleId", clean(finding.kind)},
          {"ruleIndex", rule - kinds.begin()},
          {"level", "error"},
          {"message", sarif_message(fmt::format("kernel '{}', case '{}': {}", kernel.results.kernel,
                                                found->cases.front(), finding.message))},
          {"locations", Json::array({places.location(site)})}};
      if (finding.other.line != 0) {
        Json other = places.location(finding.other);
        other["id"] = 1;
        other["message"] = {{"text", other_text(finding.kind)}};
        result["relatedLocations"] = Json::array({std::move(other)});
      }
      result["partialFingerprints"] =
          places.fingerprints("gputestCheck/v2", mark_of(kernel, finding, places), site);
      result["properties"] = {{"cases", found->cases.size()}, {"count", finding.count}};
      if (by)
        result["suppressions"] =
            sarif_suppression(by->reason, by->in_code ? SuppressedIn::Source : SuppressedIn::File);
      run.results.push_back(std::move(result));
    }
  return sarif_log(std::move(run));
}

} // namespace gputest::report
