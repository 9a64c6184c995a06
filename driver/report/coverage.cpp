// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/coverage.h"

#include "report/coverage/outputs.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <iterator>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

// Prints the thresholds that all kernels together do not reach. Returns true if there is none.
bool reaches_thresholds(const model::Coverage& all, const model::Thresholds& thresholds) {
  const std::vector<model::Miss> misses = model::missed(model::tally(all), thresholds);
  for (const model::Miss& miss : misses)
    fmt::print(stderr, "error: {}\n", model::text_of(miss)); // the annotations have it as well
  return misses.empty();
}

// Reads "branch=100", "loop=75.5": a criterion's name and 0 to 100 percent. Throws CommandError.
model::Thresholds parse_thresholds(const std::vector<std::string>& specifications) {
  model::Thresholds thresholds;
  for (const std::string& specification : specifications) {
    const std::size_t equals = specification.find('=');
    const auto criterion = model::named<model::Criterion>(specification.substr(0, equals));
    const std::string number = equals == std::string::npos ? "" : specification.substr(equals + 1);
    double percent = -1;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), percent);
    // Written so that NaN is refused too.
    if (!criterion || error != std::errc() || end != number.data() + number.size() ||
        !(percent >= 0 && percent <= 100))
      throw CommandError(fmt::format("error: --threshold '{}': give CRITERION=PERCENT, with "
                                     "statement, branch, condition, loop or barrier, and 0 to 100",
                                     specification));
    thresholds.percent[*criterion] = percent;
  }
  return thresholds;
}

// Returns when the newest file was written, in milliseconds since 1970.
std::int64_t newest_of(const std::vector<fs::path>& files) {
  std::int64_t newest = 0;
  for (const fs::path& file : files) {
    const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(file));
    newest = std::max<std::int64_t>(
        newest,
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
  }
  return newest;
}

// Returns what --instantiations says; nullopt: as the files say.
std::optional<bool> wants_apart(const cxxopts::ParseResult& arguments) {
  if (arguments.count("instantiations") == 0)
    return std::nullopt;
  const auto word = arguments["instantiations"].as<std::string>();
  if (word != "merged" && word != "apart")
    throw CommandError(
        fmt::format("error: --instantiations: '{}' is not known: merged or apart", word));
  return word == "apart";
}

} // namespace

model::Thresholds coverage_thresholds(const cxxopts::ParseResult& arguments,
                                      const model::Settings& settings) {
  std::vector<std::string> given;
  for (const auto& [name, value] : settings.pairs())
    if (const std::string criterion = name.substr(name.find('.') + 1);
        model::named<model::Criterion>(criterion))
      given.push_back(fmt::format("{}={}", criterion, value));
  if (arguments.count("threshold") > 0)
    std::ranges::copy(arguments["threshold"].as<std::vector<std::string>>(),
                      std::back_inserter(given));
  return parse_thresholds(given);
}

ExitCode report_coverage(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                         const std::vector<fs::path>& files, Outputs& outputs) {
  const model::Thresholds thresholds = coverage_thresholds(arguments, settings);
  const report::SourceTree sources = source_tree(arguments, files);
  report::Report merged =
      report::read_report(files, arguments["title"].as<std::string>(), wants_apart(arguments));
  if (const auto changed = model::first_changed(merged.all.sources, sources.roots))
    throw CommandError(fmt::format("{}: error: is not what it was when its coverage was measured, "
                                   "and lines would be wrong: build, and run the tests again",
                                   *changed));
  merged.milliseconds = newest_of(files);
  for (const model::Miss& miss : model::missed(model::tally(merged.all), thresholds))
    merged.missed.push_back({"", merged.kernels.front().source, miss});
  const auto sarif = [&] { return report::coverage_sarif(merged, sources); };
  outputs.write_page(
      [&](const std::string& file) { return report::coverage_page(merged, sources, file); });
  outputs.write("lcov", [&] { return report::lcov(merged, sources); });
  outputs.write("cobertura", [&] { return report::cobertura(merged, sources); });
  outputs.write("sarif", sarif);
  outputs.write("junit", [&] { return report::coverage_junit(merged); });
  outputs.write("json", [&] { return report::json(merged); });
  outputs.print([&] { return report::terminal(merged, wants_colour(), terminal_width()); });
  outputs.annotate(sarif);
  return reaches_thresholds(merged.all, thresholds) ? Held : Failed;
}

} // namespace gputest::driver
