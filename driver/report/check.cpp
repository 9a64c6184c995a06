// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/check.h"

#include "model/files.h"
#include "report/check/report.h"

namespace gputest::driver {
namespace fs = std::filesystem;

// Never fails for findings, because the tests have failed already. A report is only a report.
ExitCode report_check(const cxxopts::ParseResult& arguments, const model::Settings& /*settings*/,
                      const std::vector<fs::path>& files, Outputs& outputs) {
  const report::SourceTree sources = source_tree(arguments, files);
  const report::CheckReport all =
      report::read_check_report(files, sources, arguments["title"].as<std::string>());
  const auto sarif = [&] { return report::check_sarif(all, sources); };
  outputs.write("html", [&] { return report::check_html(all, sources); });
  outputs.write("sarif", sarif);
  outputs.write("junit", [&] { return report::check_junit(all); });
  outputs.write("write-suppressions", [&] {
    const fs::path file = arguments["write-suppressions"].as<std::string>();
    if (fs::exists(file))
      model::read_suppressions(file); // what it cannot read is no such file
    return report::check_suppressions(all, sources, model::read_text(file).value_or(""));
  });
  outputs.write("json", [&] { return report::check_json(all); });
  outputs.print([&] { return report::check_terminal(all, wants_colour(), terminal_width()); });
  outputs.annotate(sarif);
  return Held;
}

model::Suppressions program_suppressions(const std::filesystem::path& source_root,
                                         const model::Settings& settings,
                                         std::vector<std::filesystem::path> more) {
  more.insert(more.begin(), source_root.empty() ? std::filesystem::current_path() : source_root);
  return model::Suppressions(std::move(more), model::suppressions_file(settings));
}

} // namespace gputest::driver
