#include "driver/report/report.h"

#include "driver/analyses.h"
#include "driver/command_error.h"
#include "report/common/inputs.h"

#include <cxxopts.hpp>
#include <fmt/format.h>
#include <iostream>

namespace gputest::driver {
namespace {

cxxopts::Options options() {
  cxxopts::Options options("gputest report",
                           "Merges the results of kernels and runs, and reports on them.\n");
  options.positional_help("FILE|DIRECTORY…").show_positional_help();
  const auto text = [] { return cxxopts::value<std::string>(); };
  add_report_options(options);
  options.add_options()(
      "source-root",
      "what the source files are relative to (default: the working directory, then the folders of "
      "the files of results)",
      text(), "DIR")("h,help", "print this")(
      "files", "files of results, such as coverage.json; directories are searched for them",
      cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"files"});
  return options;
}

ExitCode run(const cxxopts::ParseResult& arguments) {
  const report::Inputs inputs =
      report::find_inputs(model::analyses(), arguments.count("files") > 0
                                                 ? arguments["files"].as<std::vector<std::string>>()
                                                 : std::vector<std::string>{});
  refuse_other_reports(arguments, *inputs.analysis);
  return command_of(*inputs.analysis)
      .report(arguments, model::Settings(*inputs.analysis), inputs.files);
}

} // namespace

void refuse_other_reports(const cxxopts::ParseResult& arguments, const model::Analysis& analysis) {
  const auto has = [](const model::Analysis& one, const char* option) {
    return (';' + std::string(one.reports) + ';').find(';' + std::string(option) + ';') !=
           std::string::npos;
  };
  for (const char* option : {"lcov", "cobertura", "sarif", "junit", "viewer", "threshold"}) {
    if (arguments.count(option) == 0 || has(analysis, option))
      continue;
    std::string kinds;
    for (const model::Analysis& other : model::analyses())
      if (has(other, option))
        kinds += fmt::format("{}{}", kinds.empty() ? "" : " or ", other.name);
    throw CommandError(fmt::format("error: --{} is for results of {}, and these are of {}; see "
                                   "gputest report --help",
                                   option, kinds, analysis.name));
  }
}

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
