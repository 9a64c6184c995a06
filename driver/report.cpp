#include "driver/report.h"

#include "driver/command_error.h"
#include "driver/thresholds.h"
#include "model/files.h"
#include "report/outputs.h"

#include <cstdlib>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

cxxopts::Options options() {
  cxxopts::Options options(
      "gputest report", "Merges the coverage of kernels and runs, and reports what is missing.\n");
  options.positional_help("FILE|DIRECTORY…").show_positional_help();
  options.add_options()("html", "write one self-contained page", cxxopts::value<std::string>(),
                        "FILE")("lcov", "write an lcov tracefile, with branches",
                                cxxopts::value<std::string>(), "FILE")(
      "cobertura", "write Cobertura XML", cxxopts::value<std::string>(),
      "FILE")("json", "write the merged coverage.json", cxxopts::value<std::string>(), "FILE")(
      "source-root",
      "what the source files are relative to (default: the working directory, then the folders of "
      "the "
      "coverage files)",
      cxxopts::value<std::string>(),
      "DIR")("title", "title of the report", cxxopts::value<std::string>()->default_value(""), "T")(
      "threshold", "CRITERION=PERCENT that must be reached, over all kernels; else exit 1",
      cxxopts::value<std::vector<std::string>>(), "T")("no-terminal", "print no table")(
      "h,help", "print this")("files", "coverage.json files; directories are searched for them",
                              cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"files"});
  return options;
}

bool wants_colour() {
  const char* no_color = std::getenv("NO_COLOR"); // https://no-color.org: set and not empty
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

report::SourceTree source_tree(const cxxopts::ParseResult& arguments,
                               const std::vector<fs::path>& files) {
  if (arguments.count("source-root") > 0) {
    const fs::path root = arguments["source-root"].as<std::string>();
    if (!fs::is_directory(root))
      throw CommandError(root.string() + ": error: --source-root is not a directory");
    return {.roots = {root}};
  }
  report::SourceTree tree{.roots = {"."}};
  for (const fs::path& file : files)
    tree.roots.push_back(file.parent_path());
  return tree;
}

void write(const std::string& file, const std::string& text) {
  try {
    const fs::path parent = fs::path(file).parent_path();
    if (!parent.empty())
      fs::create_directories(parent);
    model::write_atomically(file, text);
  } catch (const fs::filesystem_error& error) {
    throw CommandError(file + ": error: cannot be written: " + error.code().message());
  } catch (const std::runtime_error& error) {
    throw CommandError(error.what());
  }
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
  const model::Thresholds thresholds = parse_thresholds(
      arguments.count("threshold") > 0 ? arguments["threshold"].as<std::vector<std::string>>()
                                       : std::vector<std::string>{});
  const auto files = report::find_coverage_files(
      arguments.count("files") > 0 ? arguments["files"].as<std::vector<std::string>>()
                                   : std::vector<std::string>{});
  const report::SourceTree sources = source_tree(arguments, files);
  const report::Report merged = report::read_report(files, arguments["title"].as<std::string>());
  const auto write_if_asked = [&](const char* option, const auto& make) {
    if (arguments.count(option) > 0)
      write(arguments[option].as<std::string>(), make());
  };
  write_if_asked("html", [&] { return report::html(merged, sources); });
  write_if_asked("lcov", [&] { return report::lcov(merged); });
  write_if_asked("cobertura", [&] { return report::cobertura(merged, sources.roots.front()); });
  write_if_asked("json", [&] { return report::json(merged); });
  if (!arguments["no-terminal"].as<bool>())
    std::cout << report::terminal(merged, wants_colour()) << std::flush;
  return reaches_thresholds(merged.all, thresholds) ? Held : Failed;
}

} // namespace

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
