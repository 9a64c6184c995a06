// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/report/gate.h"

#include "driver/report/files.h"
#include "driver/report/git.h"
#include "model/coverage.h"
#include "model/interface.h"
#include "report/common/lines.h"
#include "report/common/text.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLines = 20;

// The percentage of changed lines that some case reaches, and those that none does.
struct PatchCoverage {
  model::Tally lines{};
  std::vector<std::string> missed{}; // "k.cl:7"
  std::set<std::string> stale{};     // files whose coverage was measured before they changed
};

bool is_newer(const fs::path& file, const fs::path& than) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error), other = fs::last_write_time(than, error);
  return !error && time > other;
}

PatchCoverage patch_coverage(const std::map<std::string, std::set<unsigned>>& changed,
                             const std::vector<report::IndexInput>& files,
                             const report::SourceTree& sources) {
  PatchCoverage result;
  std::map<std::pair<std::string, unsigned>, std::uint64_t> reached;
  for (const report::IndexInput& input : files) {
    if (input.kind->name != "coverage")
      continue;
    const model::Coverage coverage = model::read_coverage(input.file);
    for (const report::File& file : report::files_of(coverage, sources)) {
      const auto path = sources.path_of(file.name);
      const std::string name = sources.name_of(path ? path->string() : file.name);
      const auto lines = changed.find(name);
      if (lines == changed.end())
        continue;
      if (path && is_newer(*path, input.file))
        result.stale.insert(name);
      for (const auto& [number, line] : file.lines)
        if (lines->second.contains(number))
          reached[{name, number}] += line.cases;
    }
  }
  for (const auto& [place, cases] : reached) {
    ++result.lines.total;
    result.lines.covered += cases > 0 ? 1 : 0;
    if (cases == 0)
      result.missed.push_back(fmt::format("{}:{}", place.first, place.second));
  }
  return result;
}

} // namespace

void add_gate_options(cxxopts::Options& options) {
  options.add_options()(
      "fail-on",
      "exit with 1 on new-survivors, lost-outcomes, new-findings (since --against) or failures; "
      "several with commas (default: GPUTEST_FAIL_ON, or nothing)",
      cxxopts::value<std::string>(),
      "LIST")("patch-coverage",
              "exit with 1 if cases reach less of the lines that changed since --against, a commit",
              cxxopts::value<double>(), "PERCENT");
}

Gates::Gates(const cxxopts::ParseResult& arguments) {
  const char* const variable = std::getenv("GPUTEST_FAIL_ON");
  const bool is_given = arguments.count("fail-on") > 0;
  const std::string text = is_given   ? arguments["fail-on"].as<std::string>()
                           : variable ? variable
                                      : "";
  const bool compares = arguments.count("against") > 0;
  if (is_given || !text.empty())
    try {
      gates_ = report::gates_from_text(text);
    } catch (const model::FormatError& error) {
      throw CommandError(
          fmt::format("error: {}: {}", is_given ? "--fail-on" : "GPUTEST_FAIL_ON", error.what()));
    }
  for (const report::Gate* const gate : gates_)
    if (gate->compares && !compares)
      throw CommandError(fmt::format("error: --fail-on {} needs --against, with the results to "
                                     "compare with",
                                     gate->name));
  if (arguments.count("patch-coverage") == 0)
    return;
  patch_coverage_ = arguments["patch-coverage"].as<double>();
  if (!(*patch_coverage_ >= 0 && *patch_coverage_ <= 100))
    throw CommandError(fmt::format("error: --patch-coverage: {} is no percentage: give 0 to 100",
                                   *patch_coverage_));
  against_ = compares ? arguments["against"].as<std::string>() : "";
  if (!compares || fs::is_directory(against_))
    throw CommandError("error: --patch-coverage needs --against with a commit, such as main: its "
                       "difference to the files now says which lines changed");
}

ExitCode Gates::pass(const report::Index& index, const std::vector<report::Change>& changes,
                     const std::vector<report::IndexInput>& files,
                     const report::SourceTree& sources) const {
  ExitCode outcome = Held;
  for (const report::Stopped& stopped : report::stopped_by(gates_, index, changes)) {
    print_failure(fmt::format("{}: {}", stopped.gate->name, report::text_of(stopped, kMostLines)));
    outcome = Failed;
  }
  if (patch_coverage_ && !pass_patch(files, sources))
    outcome = Failed;
  return outcome;
}

bool Gates::pass_patch(const std::vector<report::IndexInput>& files,
                       const report::SourceTree& sources) const {
  const PatchCoverage patch =
      patch_coverage(changed_lines(sources.roots.front(), against_), files, sources);
  if (!patch.stale.empty()) { // its lines are others now
    print_failure(
        fmt::format("patch coverage since {}: {} changed after its coverage was measured: "
                    "run the coverage tests again",
                    against_, report::clean(fmt::format("{}", fmt::join(patch.stale, ", ")))));
    return false;
  }
  const std::optional<double> percent = patch.lines.percent();
  if (!percent) {
    fmt::print("patch coverage: no line of a measured kernel changed since {}\n", against_);
    return true;
  }
  const std::string text = fmt::format("patch coverage since {}: {}, {} of {}", against_,
                                       report::percent_text(patch.lines), patch.lines.covered,
                                       report::plural(patch.lines.total, "line"));
  if (*percent >= *patch_coverage_) {
    fmt::print("{}\n", text);
    return true;
  }
  std::string missed;
  for (std::size_t i = 0; i < patch.missed.size() && i < kMostLines; ++i)
    missed += "\n  no case reaches " + report::clean(patch.missed[i]);
  if (patch.missed.size() > kMostLines)
    missed += fmt::format("\n  {} more", patch.missed.size() - kMostLines);
  print_failure(fmt::format("{}, below {:g} %{}", text, *patch_coverage_, missed));
  return false;
}

} // namespace gputest::driver
