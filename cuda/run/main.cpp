// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-cuda-run runs a program built by gputest-cuda with the simulator's checks, and writes
// their findings to check.json (docs/formats.md). gputest_add_cuda_program() makes tests with it.
#include "model/analyses.h"
#include "model/checks/checks.h"
#include "model/checks/results.h"
#include "model/clock.h"
#include "model/files.h"
#include "model/processes/cuda_environment.h"
#include "model/processes/signals.h"
#include "model/settings.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using gputest::model::CheckedFinding;
using gputest::model::Finding;
using gputest::model::result_file_of;
using Json = nlohmann::ordered_json;

constexpr int kHeld = 0, kFailed = 1, kWrongUsage = 2, kInternal = 3;
constexpr const char* kUsage = "usage: gputest-cuda-run --name NAME --output FOLDER [--check LIST] "
                               "[--timeout S] [--zero-shared] -- COMMAND…\n";

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
  double timeout = 0;       // seconds; 0: none
  bool zero_shared = false; // __shared__ memory begins with zeros
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
    if (option == "--zero-shared") {
      settings.zero_shared = true;
      continue;
    }
    if (i + 1 == arguments.size())
      throw std::runtime_error(fmt::format("'{}' is not expected, or has no value", option));
    const std::string& value = arguments[++i];
    if (option == "--name")
      settings.name = value;
    else if (option == "--output")
      settings.output = fs::absolute(value);
    else if (option == "--timeout")
      settings.timeout = gputest::model::seconds_of("timeout", value);
    else if (option == "--check" && !value.empty())
      settings.checks = words_of(value);
    else if (option != "--check")
      throw std::runtime_error(fmt::format("there is no option '{}'", option));
  }
  if (settings.name.empty() || settings.output.empty() || settings.command.empty())
    throw std::runtime_error("--name, --output and a command are needed");
  return settings;
}

struct Ended {
  std::string how; // empty: it exited with 0
  double seconds = 0;
  bool by_others = false; // others have ended it or its simulator: `how` is no verdict
};

Ended run_once(const Settings& settings, const fs::path& findings, const fs::path& lost) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child < 0)
    throw std::runtime_error(std::strerror(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);
    ::setenv("GPUTEST_CUDA_CHECKS", fmt::format("{}", fmt::join(settings.checks, " ")).c_str(), 1);
    ::setenv("GPUTEST_CUDA_FINDINGS", findings.c_str(), 1);
    ::setenv(gputest::model::kSimulatorLost, lost.c_str(), 1);
    if (settings.zero_shared)
      ::setenv(gputest::model::kZeroShared, "1", 1);
    std::vector<char*> words;
    for (const std::string& word : settings.command)
      words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    fmt::print(stderr, "error: {} cannot be started: {}\n", words[0], std::strerror(errno));
    ::_exit(127);
  }
  int status = 0;
  const auto seconds = [&] { return gputest::seconds_since(start); };
  while (::waitpid(child, &status, settings.timeout > 0 ? WNOHANG : 0) != child) {
    if (settings.timeout > 0 && seconds() > settings.timeout) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      return {fmt::format("still running after {} s", settings.timeout), seconds()};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (const std::string how = gputest::model::read_text(lost).value_or(""); !how.empty())
    return {fmt::format("its simulator was ended {}", how.substr(0, how.find('\n'))), seconds(),
            true};
  if (WIFSIGNALED(status))
    return {fmt::format("killed by signal {}", WTERMSIG(status)), seconds(),
            !gputest::model::is_raised_by_itself(WTERMSIG(status))};
  const int code = WEXITSTATUS(status);
  return {code == 0 ? "" : fmt::format("exit code {}", code), seconds(),
          gputest::model::is_exit_code_of_others(code)};
}

// Repeats runs that others end.
Ended run(const Settings& settings, const fs::path& findings) {
  const fs::path lost = findings.parent_path() / "simulator-lost";
  Ended ended;
  for (unsigned tries = 0; tries < gputest::model::kTriesOfEnded; ++tries) {
    fs::remove(findings);
    fs::remove(lost);
    ended = run_once(settings, findings, lost);
    fs::remove(lost);
    if (!ended.by_others)
      break;
  }
  return ended;
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
  const Ended ended = run(settings, lines);
  const Found found = read(lines, settings.name);
  fs::remove(lines);
  if (ended.by_others)
    throw std::runtime_error(
        fmt::format("{}: {}, {} times in a row, by somebody else or for want of memory; nothing is "
                    "known about it",
                    settings.command[0], ended.how, gputest::model::kTriesOfEnded));
  const gputest::model::CheckResults results{
      .name = settings.name,
      .kernel = settings.name,
      .source = {},
      .checks = settings.checks,
      .cases = {{.name = settings.name,
                 .verdict = ended.how.empty() ? "passed" : "failed",
                 .message = ended.how,
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
  if (!ended.how.empty())
    fmt::print(stderr, "error: {} failed: {}\n", settings.command[0], ended.how);
  else if (found.launches == 0)
    fmt::print(stderr,
               "error: {} launched no kernel in the simulator: is it built with gputest-cuda "
               "(cmake --toolchain gputest-cuda.cmake)?\n",
               settings.command[0]);
  return ended.how.empty() && found.launches > 0 && found.findings.empty() ? kHeld : kFailed;
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
