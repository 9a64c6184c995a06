// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/report.h"

#include "driver/command_error.h"
#include "driver/commands.h"
#include "driver/report/analyses.h"
#include "driver/report/gate.h"
#include "driver/report/index.h"
#include "report/common/inputs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::driver {
namespace {

cxxopts::Options options() {
  cxxopts::Options options("gputest report",
                           "Merges the results of kernels and runs, and reports on them.\n");
  options.positional_help("FILE|DIRECTORY…").show_positional_help();
  const auto text = [] { return cxxopts::value<std::string>(); };
  add_report_options(options);
  options.add_options()("source-root",
                        "the folder that source names are relative to (default: the working "
                        "directory, then the folders of the files of results)",
                        text(), "DIR")("h,help", "print this")(
      "index",
      "write one page over all kinds of results below the directories, with links to the pages "
      "beside it",
      text(), "FILE")("against",
                      "report changes of all kinds of results since then: a folder of results, or "
                      "a commit, branch or tag of Git for which --index has stored results",
                      text(), "FOLDER|COMMIT")(
      "instantiations",
      "coverage of CUDA programs: show instantiations of templates merged or apart (default: the "
      "setting of the program's test)",
      text(),
      "HOW")("badge", "write an SVG image with the number of kernels that hold", text(), "FILE")(
      "markdown", "write a summary of all kinds of results, for a job or a comment", text(),
      "FILE")("files", "files of results, such as coverage.json; directories are searched for them",
              cxxopts::value<std::vector<std::string>>());
  add_gate_options(options);
  options.parse_positional({"files"});
  return options;
}

bool has(const model::Analysis& analysis, std::string_view option) {
  return (';' + std::string(analysis.reports) + ';').find(';' + std::string(option) + ';') !=
         std::string::npos;
}

// Returns "coverage, mutation": the kinds that have the option.
std::string kinds_with(std::string_view option) {
  std::string kinds;
  for (const model::Analysis& analysis : model::analyses())
    if (has(analysis, option))
      kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", analysis.name);
  return kinds;
}

void refuse_reports_beside_index(const cxxopts::ParseResult& arguments) {
  for (const char* option : {"html", "lcov", "cobertura", "sarif", "junit", "viewer", "threshold",
                             "instantiations", "write-suppressions"})
    if (arguments.count(option) > 0)
      throw CommandError(fmt::format("error: --{}: --index, --badge, --markdown, --against and the "
                                     "gates write no other report: leave it out, or leave them out",
                                     option));
}

std::vector<std::string> places(const cxxopts::ParseResult& arguments) {
  return arguments.count("files") > 0 ? arguments["files"].as<std::vector<std::string>>()
                                      : std::vector<std::string>{};
}

ExitCode report_one(const cxxopts::ParseResult& arguments, const report::Inputs& inputs,
                    Outputs& outputs) {
  return report_of(*inputs.analysis)
      .report(arguments, model::Settings(*inputs.analysis), inputs.files, outputs);
}

// Each kind has its page, and the index links them.
ExitCode report_several(const cxxopts::ParseResult& arguments,
                        const std::vector<report::Inputs>& all) {
  if (arguments.count("threshold") > 0)
    throw CommandError("error: --threshold is for results of one kind, and these are of several: "
                       "name the files, such as <build>/gputest/*/coverage.json");
  JointOutputs outputs(arguments);
  ExitCode outcome = Held;
  for (const report::Inputs& inputs : all) {
    outputs.begin(inputs.analysis->name);
    outcome = std::max(outcome, report_one(arguments, inputs, outputs));
  }
  outputs.finish();
  return outcome;
}

ExitCode run(const cxxopts::ParseResult& arguments) {
  if (std::ranges::any_of(
          std::array{"index", "badge", "markdown", "against", "fail-on", "patch-coverage"},
          [&](const char* option) { return arguments.count(option) > 0; })) {
    refuse_reports_beside_index(arguments);
    return report_index(arguments, places(arguments), text_option(arguments, "index"));
  }
  const std::vector<report::Inputs> inputs =
      report::find_inputs(model::analyses(), places(arguments));
  std::vector<const model::Analysis*> kinds;
  for (const report::Inputs& one : inputs)
    kinds.push_back(one.analysis);
  refuse_other_reports(arguments, kinds);
  if (inputs.size() == 1) {
    Outputs outputs(arguments);
    return report_one(arguments, inputs.front(), outputs);
  }
  const ExitCode outcome = report_several(arguments, inputs);
  report_index(arguments, places(arguments), text_option(arguments, "html"));
  return outcome;
}

} // namespace

void refuse_other_reports(const cxxopts::ParseResult& arguments,
                          const std::vector<const model::Analysis*>& analyses) {
  for (const char* option : {"lcov", "cobertura", "sarif", "junit", "viewer", "threshold",
                             "instantiations", "write-suppressions"}) {
    if (arguments.count(option) == 0 ||
        std::ranges::any_of(analyses, [&](const auto* one) { return has(*one, option); }))
      continue;
    std::string kinds, given;
    for (const model::Analysis* const one : analyses)
      given += fmt::format("{}{}", given.empty() ? "" : " and ", one->name);
    for (const model::Analysis& other : model::analyses())
      if (has(other, option))
        kinds += fmt::format("{}{}", kinds.empty() ? "" : " or ", other.name);
    throw CommandError(fmt::format("error: --{} is for results of {}, and these are of {}; see "
                                   "gputest report --help",
                                   option, kinds, given));
  }
}

void add_report_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options()("html",
                        "write one self-contained page; for several kinds the index, with the page "
                        "<kind>.html of each beside it",
                        text(), "FILE")(
      "json", "write the merged results; for several kinds the content of the index", text(),
      "FILE")("lcov", "coverage: write an lcov tracefile, with branches", text(),
              "FILE")("cobertura", "coverage: write Cobertura XML", text(), "FILE")(
      "back", "the page of --html links back to this page, such as report.html beside it", text(),
      "PAGE")("title", "title of the report", text()->default_value(""), "T")(
      "threshold",
      "coverage: CRITERION=PERCENT; mutation: PERCENT; exit with 1 if all kernels together are "
      "below it",
      cxxopts::value<std::vector<std::string>>(), "T")("no-terminal", "print no table")(
      "sarif", kinds_with("sarif") + ": write SARIF", text(),
      "FILE")("junit", kinds_with("junit") + ": write JUnit XML", text(), "FILE")(
      "write-suppressions", "check: write a gputest.suppressions with an entry for each finding",
      text(), "FILE")("viewer",
                      "mutation: make the page with this mutation-test-elements.js (npm's "
                      "mutation-testing-elements)",
                      text(), "FILE");
}

int report_command(int argc, char** argv) {
  cxxopts::Options known = options();
  const cxxopts::ParseResult arguments = known.parse(argc, argv);
  return arguments.count("help") ? print_help(known) : run(arguments);
}

} // namespace gputest::driver
