#include "driver/report/memory.h"

#include "driver/report/files.h"
#include "report/memory/report.h"

#include <iostream>

namespace gputest::driver {
namespace fs = std::filesystem;

// The tests have failed already where a limit was missed: a report is only a report.
ExitCode report_memory(const cxxopts::ParseResult& arguments, const model::Settings& /*settings*/,
                       const std::vector<fs::path>& files) {
  const report::MemoryReport all =
      report::read_memory_report(files, arguments["title"].as<std::string>());
  const report::SourceTree sources = source_tree(arguments, files);
  write_if_asked(arguments, "html", [&] { return report::memory_html(all, sources); });
  write_if_asked(arguments, "sarif",
                 [&] { return report::memory_sarif(all, sources.roots.front()); });
  write_if_asked(arguments, "junit", [&] { return report::memory_junit(all); });
  if (!arguments["no-terminal"].as<bool>())
    std::cout << report::memory_terminal(all) << std::flush;
  return Held;
}

} // namespace gputest::driver
