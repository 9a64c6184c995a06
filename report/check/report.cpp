// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/check/report.h"

#include "model/files.h"
#include "model/suppressions/suppressions.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gputest::report {
namespace fs = std::filesystem;

CheckReport read_check_report(const std::vector<fs::path>& files, const SourceTree& sources,
                              std::string title) {
  CheckReport report;
  for (const fs::path& file : files) {
    report.kernels.push_back({model::read_check_results(file), file.parent_path()});
    model::CheckResults& results = report.kernels.back().results;
    results.source = sources.name_of(results.source);
    const auto name_places = [&](model::Finding& finding) {
      finding.site.file = sources.name_of(finding.site.file);
      finding.other.file = sources.name_of(finding.other.file);
      finding.message = sources.with_names(finding.message);
    };
    for (model::CheckedFinding& found : results.findings)
      name_places(found.finding);
    for (model::SuppressedFinding& one : results.suppressed)
      name_places(one.found.finding);
  }
  std::ranges::stable_sort(report.kernels, {}, [](const CheckedKernel& kernel) {
    return std::pair(kernel.results.name, kernel.results.kernel);
  });
  report.title = title.empty() ? title_of("Checks", report.kernels, &CheckedKernel::results)
                               : std::move(title);
  return report;
}

bool holds(const model::CheckedCase& checked) {
  return checked.verdict == model::CaseVerdict::Passed && checked.findings == 0;
}

bool holds(const model::CheckResults& results) {
  return results.findings.empty() && !results.cases.empty() &&
         std::ranges::all_of(results.cases,
                             [](const model::CheckedCase& one) { return holds(one); });
}

std::vector<FindingsOfCause> by_cause(const std::vector<model::CheckedFinding>& findings) {
  std::vector<FindingsOfCause> groups;
  for (const model::CheckedFinding& found : findings) {
    const auto group = std::ranges::find_if(groups, [&](const FindingsOfCause& other) {
      return !found.finding.cause.empty() && other.first->finding.cause == found.finding.cause;
    });
    if (group == groups.end())
      groups.push_back({&found, {}});
    else
      group->others.push_back(&found);
  }
  return groups;
}

std::vector<std::string> unused_suppressions(const CheckReport& report) {
  std::set<std::string> files, used;
  for (const CheckedKernel& kernel : report.kernels) {
    if (!kernel.results.suppressions.empty())
      files.insert(kernel.results.suppressions);
    for (const model::SuppressedFinding& one : kernel.results.suppressed)
      used.insert(one.by.place);
  }
  std::vector<std::string> unused;
  for (const std::string& file : files)
    try {
      for (const model::SuppressionEntry& entry : model::read_suppressions(file))
        if (const std::string place = fmt::format("{}:{}", file, entry.line); !used.contains(place))
          unused.push_back(place);
    } catch (const model::FormatError&) { // it has changed since, and the next run will say so
    }
  return unused;
}

std::string check_suppressions(const CheckReport& report, const SourceTree& sources,
                               std::string before) {
  if (!before.empty() && !before.ends_with('\n'))
    before += '\n';
  std::string text =
      before.empty() ? "# Findings that are accepted. Each needs a reason of its own.\n" : before;
  std::set<std::string> written; // cases and kernels share findings
  std::erase(before, '\r');
  for (const CheckedKernel& kernel : report.kernels)
    for (const model::CheckedFinding& found : kernel.results.findings) {
      const auto lines = sources.lines_of(found.finding.site.file);
      const unsigned line = found.finding.site.line;
      const bool is_known = lines && line > 0 && line <= lines->size();
      const std::string entry =
          model::entry_for(found.finding, kernel.results.kernel, is_known ? (*lines)[line - 1] : "",
                           "was there when checks began");
      const bool is_there =
          before.find(entry.substr(0, entry.rfind("\nreason = ") + 1)) != before.npos;
      if (written.insert(entry).second && !is_there)
        text += "\n" + entry;
    }
  return text;
}

std::string check_json(const CheckReport& report) {
  nlohmann::ordered_json json{{"format", "gputest-check-report-1"},
                              {"kernels", nlohmann::ordered_json::array()}};
  for (const CheckedKernel& kernel : report.kernels)
    json["kernels"].push_back(model::to_json(kernel.results));
  return model::pretty(json);
}

} // namespace gputest::report
