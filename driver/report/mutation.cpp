// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/mutation.h"

#include "model/files.h"
#include "report/mutation/outputs.h"

#include <charconv>
#include <fmt/format.h>

namespace gputest::driver {
namespace fs = std::filesystem;
std::optional<double> mutation_threshold(const cxxopts::ParseResult& arguments,
                                         const model::Settings& settings) {
  if (arguments.count("threshold") == 0)
    return settings.given_real("threshold");
  const auto values = arguments["threshold"].as<std::vector<std::string>>();
  const std::string& text = values.back();
  double percent = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  // Written so that NaN is refused too.
  if (values.size() > 1 || error != std::errc() || end != text.data() + text.size() ||
      !(percent >= 0 && percent <= 100))
    throw CommandError(fmt::format("error: --threshold '{}': these are results of mutation "
                                   "testing: give one PERCENT, 0 to 100",
                                   text));
  return percent;
}

namespace {

std::string read_viewer(const std::string& file) {
  std::optional<std::string> text = model::read_text(file);
  if (!text || text->find("mutation-test-report-app") == std::string::npos)
    throw CommandError(file + ": error: is not a mutation-test-elements.js; `npm pack "
                              "mutation-testing-elements` has it in package/dist, and without "
                              "--viewer the page is a plain one");
  return *std::move(text);
}

// Returns whether the score reaches the threshold. Without scored mutants, it does.
bool reaches(const model::Tallies& tallies, std::optional<double> threshold) {
  const auto score = tallies.score();
  if (!threshold || !score || *score >= *threshold)
    return true;
  print_failure(fmt::format("the mutation score is {:.4g} %, below the threshold of {:g} %", *score,
                            *threshold));
  return false;
}

} // namespace

ExitCode report_mutation(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                         const std::vector<fs::path>& files, Outputs& outputs) {
  const std::optional<double> threshold = mutation_threshold(arguments, settings);
  const report::SourceTree sources = source_tree(arguments, files);
  const bool has_viewer = arguments.count("viewer") > 0;
  if (has_viewer && arguments.count("html") == 0)
    throw CommandError("error: --viewer is what --html makes its page with: give --html too");
  const std::string viewer =
      has_viewer ? read_viewer(arguments["viewer"].as<std::string>()) : std::string();

  report::MutationReport merged =
      report::read_mutation_report(files, arguments["title"].as<std::string>());
  report::add_sources(merged, sources);
  const bool uses_viewer = has_viewer && report::suits_viewer(merged);
  outputs.write_page([&](const std::string& file) {
    return uses_viewer ? report::PartedPage{report::mutation_viewer(merged, viewer)}
                       : report::mutation_page(merged, file);
  });
  if (has_viewer && !uses_viewer)
    fmt::print(stderr, "note: {}: a plain page, for these are too many mutants for the viewer\n",
               arguments["html"].as<std::string>());
  const auto sarif = [&] { return report::sarif(merged, sources.roots.front()); };
  outputs.write("sarif", sarif);
  outputs.write("junit", [&] { return report::junit(merged); });
  outputs.write("json", [&] { return report::mutation_json(merged); });
  outputs.print(
      [&] { return report::mutation_terminal(merged, wants_colour(), terminal_width()); });
  outputs.annotate(sarif);
  return reaches(report::tally(merged), threshold) ? Held : Failed;
}

} // namespace gputest::driver
