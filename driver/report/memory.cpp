// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/memory.h"

#include "report/memory/report.h"

namespace gputest::driver {
namespace fs = std::filesystem;

// Never fails for missed limits, because the tests have failed already. A report is only a report.
ExitCode report_memory(const cxxopts::ParseResult& arguments, const model::Settings& /*settings*/,
                       const std::vector<fs::path>& files, Outputs& outputs) {
  const report::MemoryReport all =
      report::read_memory_report(files, arguments["title"].as<std::string>());
  const report::SourceTree sources = source_tree(arguments, files);
  const auto sarif = [&] { return report::memory_sarif(all, sources); };
  outputs.write("html", [&] { return report::memory_html(all, sources); });
  outputs.write("sarif", sarif);
  outputs.write("junit", [&] { return report::memory_junit(all); });
  outputs.print([&] { return report::memory_terminal(all); });
  outputs.annotate(sarif);
  return Held;
}

} // namespace gputest::driver
