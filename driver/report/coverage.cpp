#include "driver/report/coverage.h"

#include "driver/report/files.h"
#include "driver/thresholds.h"
#include "report/coverage/outputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <iterator>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

// Says which thresholds all kernels together do not reach; true if there is none.
bool reaches_thresholds(const model::Coverage& all, const model::Thresholds& thresholds) {
  const std::vector<model::Miss> misses = model::missed(model::tally(all), thresholds);
  for (const model::Miss& miss : misses)
    fmt::print(stderr, "error: {} coverage is {:.4g} %, below the threshold of {:g} %\n",
               model::name_of(miss.criterion), miss.reached, miss.required);
  return misses.empty();
}

} // namespace

model::Thresholds coverage_thresholds(const cxxopts::ParseResult& arguments,
                                      const model::Settings& settings) {
  std::vector<std::string> given;
  for (const auto& [name, value] : settings.pairs())
    if (const std::string criterion = name.substr(name.find('.') + 1);
        model::criterion_named(criterion))
      given.push_back(criterion + '=' + value);
  if (arguments.count("threshold") > 0)
    std::ranges::copy(arguments["threshold"].as<std::vector<std::string>>(),
                      std::back_inserter(given));
  return parse_thresholds(given);
}

ExitCode report_coverage(const cxxopts::ParseResult& arguments, const model::Settings& settings,
                         const std::vector<fs::path>& files) {
  const model::Thresholds thresholds = coverage_thresholds(arguments, settings);
  const report::SourceTree sources = source_tree(arguments, files);
  const report::Report merged = report::read_report(files, arguments["title"].as<std::string>());
  if (const auto changed = model::first_changed(merged.all.sources, sources.roots))
    throw CommandError(fmt::format("{}: error: is not what it was when its coverage was measured, "
                                   "and lines would be wrong: build, and run the tests again",
                                   *changed));
  write_if_asked(arguments, "html", [&] { return report::html(merged, sources); });
  write_if_asked(arguments, "lcov", [&] { return report::lcov(merged); });
  write_if_asked(arguments, "cobertura",
                 [&] { return report::cobertura(merged, sources.roots.front()); });
  write_if_asked(arguments, "json", [&] { return report::json(merged); });
  if (!arguments["no-terminal"].as<bool>())
    std::cout << report::terminal(merged, wants_colour()) << std::flush;
  return reaches_thresholds(merged.all, thresholds) ? Held : Failed;
}

} // namespace gputest::driver
