// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/check/report.h"

#include "model/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::report {
namespace fs = std::filesystem;

CheckReport read_check_report(const std::vector<fs::path>& files, const SourceTree& sources,
                              std::string title) {
  CheckReport report;
  for (const fs::path& file : files) {
    report.kernels.push_back({model::read_check_results(file), file.parent_path()});
    model::CheckResults& results = report.kernels.back().results;
    results.source = sources.name_of(results.source);
    for (model::CheckedFinding& found : results.findings) {
      found.finding.site.file = sources.name_of(found.finding.site.file);
      found.finding.other.file = sources.name_of(found.finding.other.file);
      found.finding.message = sources.with_names(found.finding.message);
    }
  }
  std::ranges::stable_sort(report.kernels, {}, [](const CheckedKernel& kernel) {
    return std::pair(kernel.results.name, kernel.results.kernel);
  });
  report.title = title.empty() ? title_of("Checks", report.kernels, &CheckedKernel::results)
                               : std::move(title);
  return report;
}

bool holds(const model::CheckedCase& checked) {
  return checked.verdict == "passed" && checked.findings == 0;
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

std::string check_json(const CheckReport& report) {
  nlohmann::ordered_json json{{"format", "gputest-check-report-1"},
                              {"kernels", nlohmann::ordered_json::array()}};
  for (const CheckedKernel& kernel : report.kernels)
    json["kernels"].push_back(model::to_json(kernel.results));
  return model::pretty(json);
}

} // namespace gputest::report
