// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/coverage/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

namespace gputest::report {
namespace fs = std::filesystem;
namespace {

void sort_by_position(model::Coverage& coverage) {
  std::ranges::stable_sort(coverage.sites, [](const auto& left, const auto& right) {
    const model::Site &a = left.site, &b = right.site;
    return std::tie(a.file, a.line, a.column, a.criterion) <
           std::tie(b.file, b.line, b.column, b.criterion);
  });
}

} // namespace

Report read_report(const std::vector<fs::path>& files, std::string title,
                   std::optional<bool> apart) {
  std::vector<model::Coverage> runs;
  std::string names;
  for (const fs::path& file : files) {
    model::Coverage run = model::read_coverage(file);
    run.apart = apart.value_or(run.apart);
    runs.push_back(model::shown(run));
    names += (names.empty() ? "" : ", ") + file.string();
  }
  if (std::ranges::all_of(runs, [](const auto& run) { return run.sites.empty(); }))
    throw model::FormatError(
        fmt::format("{}: error: no coverage in it: not one statement, branch, loop or "
                    "barrier was instrumented",
                    names));
  return make_report(runs, std::move(title));
}

Report make_report(const std::vector<model::Coverage>& runs, std::string title) {
  Report report;
  std::map<std::pair<std::string, std::string>, model::Coverage> kernels;
  for (const model::Coverage& run : runs) {
    for (const model::Miss& miss : model::missed(model::tally(run), run.thresholds))
      report.missed.push_back({label_of(run), run.source, miss});
    const auto [kernel, is_new] = kernels.try_emplace({run.kernel, run.source}, run);
    if (!is_new)
      model::merge(kernel->second, run);
  }
  for (auto& [key, kernel] : kernels) {
    if (report.kernels.empty())
      report.all = kernel;
    else
      model::merge(report.all, kernel);
    sort_by_position(kernel);
    report.kernels.push_back(std::move(kernel));
  }
  report.all.thresholds = {}; // thresholds are those of a single kernel
  sort_by_position(report.all);
  report.title = title.empty() ? title_of("Coverage", report.kernels) : std::move(title);
  return report;
}

std::optional<model::Criterion> worst_criterion(const model::Criteria& criteria) {
  std::optional<model::Criterion> worst;
  double lowest = 0;
  for (const model::Criterion criterion : model::kCriteria)
    if (const auto percent = criteria.of(criterion).percent();
        percent && (!worst || *percent < lowest)) {
      worst = criterion;
      lowest = *percent;
    }
  return worst;
}

} // namespace gputest::report
