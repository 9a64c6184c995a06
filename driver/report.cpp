#include "driver/report.h"

#include "driver/command_error.h"
#include "driver/report_files.h"
#include "driver/report_mutation.h"
#include "driver/report_schedules.h"
#include "driver/thresholds.h"
#include "report/coverage/inputs.h"
#include "report/coverage/outputs.h"

#include <cxxopts.hpp>
#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

cxxopts::Options options() {
  cxxopts::Options options("gputest report",
                           "Merges the results of kernels and runs, and reports what is missing: "
                           "coverage, mutation testing, or schedules.\n");
  options.positional_help("FILE|DIRECTORY…").show_positional_help();
  const auto text = [] { return cxxopts::value<std::string>(); };
  add_report_options(options);
  options.add_options()(
      "source-root",
      "what the source files are relative to (default: the working directory, then the folders of "
      "the files of results)",
      text(), "DIR")("h,help", "print this")(
      "files",
      "coverage.json, mutation.json or schedules.json files; directories are searched for them",
      cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"files"});
  return options;
}

// Says which thresholds all kernels together do not reach; true if there is none.
bool reaches_thresholds(const model::Coverage& all, const model::Thresholds& thresholds) {
  const std::vector<model::Miss> misses = model::missed(model::tally(all), thresholds);
  for (const model::Miss& miss : misses)
    fmt::print(stderr, "error: {} coverage is {:.4g} %, below the threshold of {:g} %\n",
               model::name_of(miss.criterion), miss.reached, miss.required);
  return misses.empty();
}

ExitCode run(const cxxopts::ParseResult& arguments) {
  const report::Inputs inputs = report::find_inputs(
      arguments.count("files") > 0 ? arguments["files"].as<std::vector<std::string>>()
                                   : std::vector<std::string>{});
  switch (inputs.kind) {
  case report::ResultKind::Mutation:
    return report_mutation(arguments, inputs.files);
  case report::ResultKind::Schedules:
    return report_schedules(arguments, inputs.files);
  case report::ResultKind::Coverage:
    break;
  }
  return report_coverage(arguments, inputs.files);
}

} // namespace

void add_report_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options()("html", "write one self-contained page", text(), "FILE")(
      "json", "write the merged coverage.json or mutation.json, or all schedules.json", text(),
      "FILE")("lcov", "coverage: write an lcov tracefile, with branches", text(),
              "FILE")("cobertura", "coverage: write Cobertura XML", text(),
                      "FILE")("title", "title of the report", text()->default_value(""), "T")(
      "threshold",
      "coverage: CRITERION=PERCENT; mutation: PERCENT; must be reached, over all kernels, else "
      "exit 1",
      cxxopts::value<std::vector<std::string>>(), "T")("no-terminal", "print no table")(
      "sarif", "mutation, schedules: write SARIF", text(),
      "FILE")("junit", "mutation, schedules: write JUnit XML", text(),
              "FILE")("viewer",
                      "mutation: make the page with this mutation-test-elements.js (npm's "
                      "mutation-testing-elements)",
                      text(), "FILE");
}

model::Thresholds coverage_thresholds(const cxxopts::ParseResult& arguments) {
  return parse_thresholds(arguments.count("threshold") > 0
                              ? arguments["threshold"].as<std::vector<std::string>>()
                              : std::vector<std::string>{});
}

ExitCode report_coverage(const cxxopts::ParseResult& arguments,
                         const std::vector<fs::path>& files) {
  refuse(arguments, {"sarif", "junit"}, "mutation testing or schedules");
  refuse(arguments, {"viewer"}, "mutation testing");
  const model::Thresholds thresholds = coverage_thresholds(arguments);
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

int report_command(int argc, char** argv) {
  return run_command("report", [&]() -> int {
    cxxopts::Options known = options();
    const cxxopts::ParseResult arguments = known.parse(argc, argv);
    if (arguments.count("help") > 0) {
      std::cout << known.help();
      return Held;
    }
    return run(arguments);
  });
}

} // namespace gputest::driver
