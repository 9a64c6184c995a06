#include "driver/report/schedules.h"

#include "driver/report/files.h"
#include "report/schedules/report.h"

#include <iostream>

namespace gputest::driver {
namespace fs = std::filesystem;

// The tests have failed already where something does not hold: a report is only a report.
ExitCode report_schedules(const cxxopts::ParseResult& arguments,
                          const model::Settings& /*settings*/, const std::vector<fs::path>& files) {
  const report::SchedulesReport all =
      report::read_schedules_report(files, arguments["title"].as<std::string>());
  const fs::path root = source_tree(arguments, files).roots.front();
  write_if_asked(arguments, "html", [&] { return report::schedules_html(all); });
  write_if_asked(arguments, "sarif", [&] { return report::schedules_sarif(all, root); });
  write_if_asked(arguments, "junit", [&] { return report::schedules_junit(all); });
  write_if_asked(arguments, "json", [&] { return report::schedules_json(all); });
  if (!arguments["no-terminal"].as<bool>())
    std::cout << report::schedules_terminal(all, wants_colour()) << std::flush;
  return Held;
}

} // namespace gputest::driver
