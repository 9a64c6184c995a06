// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-cuda-run runs a program built by gputest-cuda with the simulator's checks, and writes
// their findings to check.json (docs/formats.md). gputest_add_cuda_program() makes tests with it.
#include "model/analyses.h"
#include "model/checks/checks.h"
#include "model/checks/results.h"
#include "model/files.h"
#include "process/undisturbed.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

namespace fs = std::filesystem;
namespace process = gputest::process;
using gputest::model::CheckedFinding;
using gputest::model::Finding;
using gputest::model::result_file_of;
using Json = nlohmann::ordered_json;

constexpr int kHeld = 0, kFailed = 1, kWrongUsage = 2, kInternal = 3;
constexpr const char* kUsage = "usage: gputest-cuda-run --name NAME --output FOLDER [--check LIST] "
                               "[--timeout S] -- COMMAND…\n";

std::vector<std::string> names_of_checks(bool only_default) {
  std::vector<std::string> names;
  for (const gputest::model::CheckRow& row : gputest::model::check_rows())
    if (row.on || !only_default)
      names.emplace_back(row.name);
  return names;
}

struct Settings {
  std::string name;
  fs::path output;
  std::vector<std::string> checks = names_of_checks(true);
  double timeout = 0; // seconds; 0: none
  std::vector<std::string> command;
};

std::vector<std::string> words_of(const std::string& list) {
  const std::vector<std::string> known = names_of_checks(false);
  std::vector<std::string> words;
  std::string word;
  for (const char letter : list + ",") {
    if (letter != ',') {
      word += letter;
      continue;
    }
    if (std::ranges::find(known, word) == known.end())
      throw std::runtime_error(
          fmt::format("--check: '{}' is not one of {}", word, fmt::join(known, ", ")));
    words.push_back(std::exchange(word, ""));
  }
  return words;
}

Settings settings_of(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--") {
      settings.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                              arguments.end());
      break;
    }
    if (i + 1 == arguments.size())
      throw std::runtime_error(fmt::format("'{}' is not expected, or has no value", option));
    const std::string& value = arguments[++i];
    if (option == "--name")
      settings.name = value;
    else if (option == "--output")
      settings.output = fs::absolute(value);
    else if (option == "--timeout")
      settings.timeout = std::stod(value);
    else if (option == "--check" && !value.empty())
      settings.checks = words_of(value);
    else if (option != "--check")
      throw std::runtime_error(fmt::format("there is no option '{}'", option));
  }
  if (settings.name.empty() || settings.output.empty() || settings.command.empty())
    throw std::runtime_error("--name, --output and a command are needed");
  return settings;
}

process::Ended run(const Settings& settings, const fs::path& findings) {
  return process::run_undisturbed(
      settings.command[0], findings.parent_path() / "simulator-lost", [&] {
        fs::remove(findings);
        return process::ChildSettings{
            .command = settings.command,
            .environment = {{"GPUTEST_CUDA_CHECKS",
                             fmt::format("{}", fmt::join(settings.checks, " "))},
                            {"GPUTEST_CUDA_FINDINGS", findings.string()}},
            .timeout = settings.timeout,
            .output = {}};
      });
}

struct Found {
  std::vector<CheckedFinding> findings;
  std::uint64_t launches = 0;
};

// Merges findings of one kind at one place, or pair of places, also of several launches.
Found read(const fs::path& file, const std::string& name) {
  Found found;
  std::map<std::tuple<std::string, std::string, unsigned, unsigned, std::string, unsigned>,
           std::size_t>
      known;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) // the program was killed while writing
      continue;
    if (json.contains("launches")) {
      found.launches += json["launches"].get<std::uint64_t>();
      continue;
    }
    Finding one = gputest::model::finding_from_json(json);
    const auto [at, is_new] = known.try_emplace(
        {one.kind, one.site.file, one.site.line, one.site.column, one.other.file, one.other.line},
        found.findings.size());
    if (is_new)
      found.findings.push_back({.finding = std::move(one), .cases = {name}});
    else
      found.findings[at->second].finding.count += one.count;
  }
  return found;
}

int check(const Settings& settings) {
  const fs::path folder = settings.output / settings.name;
  fs::create_directories(folder);
  fs::remove(folder / result_file_of("check"));
  const fs::path lines = folder / "findings.jsonl";
  const process::Ended ended = run(settings, lines);
  const std::string how = ended.succeeded() ? "" : ended.text();
  const Found found = read(lines, settings.name);
  fs::remove(lines);
  const gputest::model::CheckResults results{
      .name = settings.name,
      .kernel = settings.name,
      .source = {},
      .checks = settings.checks,
      .cases = {{.name = settings.name,
                 .verdict = how.empty() ? "passed" : "failed",
                 .message = how,
                 .seconds = ended.seconds,
                 .launches = found.launches,
                 .findings = found.findings.size()}},
      .findings = found.findings};
  write_check_results(results, folder / result_file_of("check"));
  std::cout << fmt::format("{}: {} finding{} in {} launch{}; checked: {}\n", settings.name,
                           found.findings.size(), found.findings.size() == 1 ? "" : "s",
                           found.launches, found.launches == 1 ? "" : "es",
                           fmt::join(settings.checks, ", "))
            << std::flush;
  if (!how.empty())
    fmt::print(stderr, "error: {} failed: {}\n", settings.command[0], how);
  else if (found.launches == 0)
    fmt::print(stderr,
               "error: {} launched no kernel in the simulator: is it built with gputest-cuda "
               "(cmake --toolchain gputest-cuda.cmake)?\n",
               settings.command[0]);
  return how.empty() && found.launches > 0 && found.findings.empty() ? kHeld : kFailed;
}

} // namespace

int main(int argc, char** argv) {
  Settings settings;
  try {
    settings = settings_of({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "gputest-cuda-run: error: {}\n{}LIST: {}, with commas (default: {})\n",
               error.what(), kUsage, fmt::join(names_of_checks(false), ", "),
               fmt::join(names_of_checks(true), ", "));
    return kWrongUsage;
  }
  try {
    return check(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gputest-cuda-run: error: {}\n", error.what());
    return kInternal;
  }
}
