// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/cases/cases.h"

#include "driver/command_error.h"
#include "driver/commands.h"
#include "driver/report/analyses.h"
#include "driver/report/files.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

cxxopts::Options cases_options() {
  cxxopts::Options options(
      "gputest cases",
      "Says what each test case is worth: what it alone reaches and kills, and which cases no "
      "outcome and no mutant needs. Reads the results of coverage and mutation.\n");
  options.positional_help("FILE|DIRECTORY…").show_positional_help();
  options.add_options()("json", "write what is printed, as JSON", cxxopts::value<std::string>(),
                        "FILE")("fail-on-redundant",
                                "exit with 1 if a case is redundant in coverage and mutation")(
      "no-terminal", "print no table")("h,help", "print this")(
      "files", "results, such as coverage.json; directories are searched for them",
      cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"files"});
  return options;
}

} // namespace

int cases_command(int argc, char** argv) {
  cxxopts::Options options = cases_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  if (arguments.count("files") == 0)
    throw CommandError("error: cases of what? Name directories with results, such as "
                       "<build>/gputest");
  std::vector<fs::path> where;
  for (const auto& place : arguments["files"].as<std::vector<std::string>>()) {
    if (!fs::exists(place))
      throw CommandError(place + ": error: no such file or directory");
    where.emplace_back(place);
  }
  const std::vector<report::IndexKind> kinds = index_kinds();
  std::vector<report::IndexInput> files = report::find_results(kinds, where);
  std::erase_if(files, [](const report::IndexInput& input) {
    return input.kind->name != "coverage" && input.kind->name != "mutation";
  });
  if (files.empty())
    throw CommandError(where.front().string() +
                       ": error: no results of coverage or mutation; run these tests first");
  const std::vector<report::CaseSet> sets = report::read_cases(files);
  Outputs outputs(arguments);
  outputs.write("json", [&] { return report::cases_json(sets); });
  outputs.print([&] { return report::cases_terminal(sets, wants_colour(), terminal_width()); });
  const std::vector<std::string> redundant = report::redundant_cases(sets);
  if (arguments.count("fail-on-redundant") == 0)
    return Held;
  for (const std::string& one : redundant)
    print_failure(one);
  return redundant.empty() ? Held : Failed;
}

} // namespace gputest::driver
