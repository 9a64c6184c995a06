// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/schedules/report.h"

#include "model/files.h"
#include "report/coverage/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gputest::report {
namespace fs = std::filesystem;

SchedulesReport read_schedules_report(const std::vector<fs::path>& files, std::string title) {
  SchedulesReport report;
  for (const fs::path& file : files)
    report.kernels.push_back({model::read_schedules(file), file.parent_path()});
  std::ranges::stable_sort(report.kernels, {}, [](const ScheduledResult& result) {
    return std::pair(result.schedules.name, result.schedules.kernel);
  });
  report.title = title.empty() ? title_of("Schedules", report.kernels, &ScheduledResult::schedules)
                               : std::move(title);
  return report;
}

bool holds(const model::Schedules& schedules) {
  return schedules.not_remapped.empty() && !schedules.cases.empty() &&
         std::ranges::all_of(schedules.cases,
                             [](const model::ScheduledCase& one) { return holds(one); });
}

std::string schedules_json(const SchedulesReport& report) {
  nlohmann::ordered_json json{{"format", "gputest-schedules-report-1"},
                              {"kernels", nlohmann::ordered_json::array()}};
  for (const ScheduledResult& result : report.kernels)
    json["kernels"].push_back(model::to_json(result.schedules));
  return model::pretty(json);
}

} // namespace gputest::report
