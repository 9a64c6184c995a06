// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/junit.h"
#include "report/common/text.h"
#include "report/schedules/report.h"

#include <fmt/format.h>

namespace gputest::report {
namespace {

struct Counts {
  std::size_t tests = 0, failures = 0, skipped = 0;
  double seconds = 0;
};

// A kernel that could not be remapped has no cases, and is one failed test.
Counts counts_of(const model::Schedules& schedules) {
  Counts counts{.tests = schedules.cases.size()};
  for (const model::ScheduledCase& scheduled : schedules.cases) {
    counts.failures += holds(scheduled) ? 0 : 1;
    counts.seconds += scheduled.seconds;
  }
  if (!schedules.not_remapped.empty())
    ++counts.tests, ++counts.failures;
  if (!model::not_run_text(schedules).empty())
    ++counts.tests, ++counts.skipped;
  return counts;
}

std::string attributes(const Counts& counts) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"",
                     counts.tests, counts.failures, counts.skipped, counts.seconds);
}

std::string failure(const std::string& type, const std::string& message, const std::string& text) {
  return fmt::format("><failure type=\"{}\" message=\"{}\">{}</failure></testcase>\n", escape(type),
                     escape(message), escaped_lines(text));
}

std::string test_case(const ScheduledResult& result, const model::ScheduledCase& scheduled,
                      JUnitNames& names) {
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" time=\"{:.3f}\"",
                  escape(label_of(result.schedules)),
                  escape(names.unique(label_of(result.schedules), scheduled.name)),
                  escape(result.schedules.source), scheduled.seconds);
  if (holds(scheduled))
    return text + "/>\n";
  std::string details;
  for (const model::ScheduleFinding& finding : scheduled.findings)
    details += model::text_of(finding, result.folder);
  return text + failure(std::string(model::name_of(scheduled.verdict)),
                        scheduled.findings.empty() ? scheduled.message
                                                   : scheduled.findings.front().message,
                        details.empty() ? scheduled.message : details);
}

} // namespace

std::string schedules_junit(const SchedulesReport& report) {
  Counts all;
  JUnitNames names;
  std::string suites;
  for (const ScheduledResult& result : report.kernels) {
    const model::Schedules& schedules = result.schedules;
    const Counts counts = counts_of(schedules);
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.skipped += counts.skipped;
    all.seconds += counts.seconds;
    suites += fmt::format("  <testsuite name=\"{}\" {}>\n", escape(label_of(schedules)),
                          attributes(counts));
    if (!schedules.not_remapped.empty()) {
      std::string details;
      for (const model::NotInstrumented& entry : schedules.not_remapped)
        details += fmt::format("{}:{}:{}: {}: {}\n", entry.file, entry.line, entry.column,
                               entry.construct, entry.reason);
      suites +=
          fmt::format("    <testcase classname=\"{}\" name=\"ids are remapped\"",
                      escape(label_of(schedules))) +
          failure("not remapped", "what shows work-items their ids could not be remapped", details);
    }
    for (const model::ScheduledCase& scheduled : schedules.cases)
      suites += test_case(result, scheduled, names);
    if (const std::string left = model::not_run_text(schedules); !left.empty())
      suites += fmt::format("    <testcase classname=\"{}\" name=\"{}\"><skipped "
                            "message=\"{}\"/></testcase>\n",
                            escape(label_of(schedules)),
                            escape(names.unique(label_of(schedules), "all orders are run")), left);
    suites += "  </testsuite>\n";
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
                     escape(report.title), attributes(all)) +
         suites + "</testsuites>\n";
}

} // namespace gputest::report
