// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/schedules.h"

#include "report/schedules/report.h"

namespace gputest::driver {
namespace fs = std::filesystem;

// Never fails for findings, because the tests have failed already. A report is only a report.
ExitCode report_schedules(const cxxopts::ParseResult& arguments,
                          const model::Settings& /*settings*/, const std::vector<fs::path>& files,
                          Outputs& outputs) {
  const report::SchedulesReport all =
      report::read_schedules_report(files, arguments["title"].as<std::string>());
  const report::SourceTree sources = source_tree(arguments, files);
  const auto sarif = [&] { return report::schedules_sarif(all, sources); };
  outputs.write("html", [&] { return report::schedules_html(all); });
  outputs.write("sarif", sarif);
  outputs.write("junit", [&] { return report::schedules_junit(all); });
  outputs.write("json", [&] { return report::schedules_json(all); });
  outputs.print([&] { return report::schedules_terminal(all, wants_colour(), terminal_width()); });
  outputs.annotate(sarif);
  return Held;
}

} // namespace gputest::driver
