// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/report/analyses.h"
#include "driver/report/files.h"
#include "driver/watch/dependents.h"
#include "driver/watch/file_changes.h"
#include "driver/watch/page_server.h"
#include "driver/watch/steps.h"
#include "model/analyses.h"
#include "model/files.h"
#include "model/interface.h"
#include "process/scratch_folder.h"
#include "report/common/inputs.h"
#include "report/index/comparison.h"

#include <cstdio>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <sstream>

namespace gputest::driver {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kNamedFiles = 3;
constexpr const char* kIndex = "report.html";

cxxopts::Options options() {
  cxxopts::Options options(
      "gputest watch",
      "Waits until a file of the project is saved, builds, runs the tests that depend on it, and "
      "says what changed since their last run. Ctrl-C ends it.\n");
  options.positional_help("[BUILD]").show_positional_help();
  options.add_options()("L,label", "run only tests whose labels match this, as for ctest",
                        cxxopts::value<std::string>()->default_value(""),
                        "REGEX")("C,config", "the configuration, if the build folder has several",
                                 cxxopts::value<std::string>()->default_value(""), "NAME")(
      "j,parallel", "run so many tests at once", cxxopts::value<std::string>()->default_value("1"),
      "N")("runs", "end after so many changes; 0: never",
           cxxopts::value<std::string>()->default_value("0"), "N")(
      "server", "serve the pages of results to browsers of this machine, and reload open ones")(
      "port", "with --server: the port at 127.0.0.1; 0: any that is free",
      cxxopts::value<std::string>()->default_value("0"), "N")("h,help", "print this")(
      "build", "the build folder", cxxopts::value<std::string>()->default_value("build"));
  options.parse_positional({"build"});
  return options;
}

// Returns a value of CMakeCache.txt; empty: it has none.
std::string cached(const std::string& cache, const std::string& name) {
  std::istringstream lines(cache);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name + ':'))
      if (const std::size_t equals = line.find('='); equals != std::string::npos)
        return line.substr(equals + 1);
  return "";
}

// Returns expressions for ctest -R that match exactly these names. CMake refuses an expression of
// some 50,000 bytes, so there may be several.
std::vector<std::string> regexes_of(const std::set<std::string>& names) {
  constexpr std::size_t kLongest = 16384;
  std::vector<std::string> regexes;
  for (const std::string& name : names) {
    if (regexes.empty() || regexes.back().size() > kLongest)
      regexes.emplace_back();
    std::string& regex = regexes.back();
    regex += regex.empty() ? "^(" : "|";
    for (const char c : name) {
      if (std::string_view("^$.[]*+?()|\\").find(c) != std::string_view::npos)
        regex += '\\';
      regex += c;
    }
  }
  for (std::string& regex : regexes)
    regex += ")$";
  return regexes;
}

class Watch {
public:
  explicit Watch(const cxxopts::ParseResult& arguments)
      : build_(fs::weakly_canonical(arguments["build"].as<std::string>())),
        config_(arguments["config"].as<std::string>()),
        label_(arguments["label"].as<std::string>()),
        parallel_(static_cast<unsigned>(whole_option(arguments, "parallel", model::kJobs))),
        serves_(arguments.count("server") > 0),
        port_(static_cast<std::uint16_t>(whole_option(arguments, "port", {0, 65535}))) {
    if (arguments.count("port") > 0 && !serves_)
      throw CommandError("error: --port is for --server");
    const std::optional<std::string> cache = model::read_text(build_ / "CMakeCache.txt");
    if (!cache)
      throw CommandError(fmt::format("{}: error: is no build folder of CMake; configure one first: "
                                     "cmake -S . -B {}",
                                     build_.string(), build_.string()));
    source_ = cached(*cache, "CMAKE_HOME_DIRECTORY");
    cmake_ = cached(*cache, "CMAKE_COMMAND");
    ctest_ = cached(*cache, "CMAKE_CTEST_COMMAND");
    if (source_.empty() || cmake_.empty() || ctest_.empty())
      throw CommandError(fmt::format("{}: error: names no source folder, no cmake or no ctest",
                                     (build_ / "CMakeCache.txt").string()));
    if (const std::string all = cached(*cache, "CMAKE_CONFIGURATION_TYPES");
        !all.empty() && config_.empty())
      throw CommandError(fmt::format("error: --config is missing; the build folder has: {}", all));
    results_ = build_ / "gputest";
    if (!cached(*cache, "CMAKE_CONFIGURATION_TYPES").empty())
      results_ /= config_;
  }

  // Watches until the user ends it, or for `runs` changes.
  void run(unsigned runs) {
    const process::EndSignals signals;
    if (serves_) {
      server_.emplace(results_, port_);
      say(fmt::format("pages: http://127.0.0.1:{}/", server_->port()));
    }
    try {
      FileChanges files(source_);
      report::ResultStates known = results();
      if (serves_ && fs::is_directory(results_))
        write_pages(signals);
      before_ = times_of(tests(signals));
      for (unsigned i = 0; runs == 0 || i < runs; ++i) {
        say(fmt::format("waiting for changes below {}", source_.string()));
        take(files.next(signals), known, signals);
      }
    } catch (const Ended&) {
    }
    server_.reset();
    say("ended");
  }

private:
  static void say(const std::string& text) {
    fmt::print("watch: {}\n", text);
    std::fflush(stdout); // before what the next step prints
  }

  std::vector<std::string> with_config(std::vector<std::string> words, const char* option) const {
    if (!config_.empty())
      words.insert(words.end(), {option, config_});
    return words;
  }

  // Returns the results; empty: there are none yet.
  report::ResultStates results() const {
    const std::vector<report::IndexKind> kinds = index_kinds();
    if (!fs::is_directory(results_))
      return {};
    return report::states_of(
        report::read_index(kinds, report::find_results(kinds, {results_}), {.roots = {source_}}));
  }

  std::vector<WatchedTest> tests(const process::EndSignals& signals) const {
    const fs::path json = scratch_.path() / "tests.json";
    if (!run_step(with_config({ctest_, "--test-dir", build_.string(), "--show-only=json-v1"}, "-C"),
                  signals, json))
      throw CommandError(fmt::format("{}: error: its tests cannot be listed", build_.string()),
                         Internal);
    return watched_tests(json);
  }

  // Returns whether all of them hold.
  bool run_tests(const std::set<std::string>& names, const process::EndSignals& signals) const {
    const std::vector<std::string> regexes = regexes_of(names);
    bool passed = true;
    for (const std::string& regex : regexes) {
      std::vector<std::string> words =
          with_config({ctest_, "--test-dir", build_.string(), "-R", regex, "--output-on-failure",
                       "--parallel", std::to_string(parallel_)},
                      "-C");
      if (!label_.empty())
        words.insert(words.end(), {"-L", label_});
      words.emplace_back(label_.empty() || regexes.size() == 1 ? "--no-tests=error"
                                                               : "--no-tests=ignore");
      passed = run_step(words, signals) && passed;
    }
    return passed;
  }

  // Writes the page over all results, and with a server those of each kind that it links.
  void write_pages(const process::EndSignals& signals) {
    const auto report = [&](const char* option, const std::string& page) {
      std::vector<std::string> words{
          own_file().string(), "report",        results_.string(), option,
          results_ / page,     "--source-root", source_.string(),  "--no-terminal"};
      if (page != kIndex)
        words.insert(words.end(), {"--back", kIndex});
      run_step(words, signals);
    };
    std::vector<report::Inputs> kinds;
    try {
      if (serves_)
        kinds = report::find_inputs(model::analyses(), {results_.string()});
    } catch (const model::FormatError&) { // there are none that have pages
    }
    if (kinds.size() > 1) {
      report("--html", kIndex);
    } else {
      if (!kinds.empty()) // whose page is not the index
        report("--html", std::string(kinds.front().analysis->name) + ".html");
      report("--index", kIndex);
    }
    if (server_)
      server_->reload();
  }

  void take(std::set<fs::path> changed, report::ResultStates& known,
            const process::EndSignals& signals) {
    std::vector<std::string> names;
    for (const fs::path& file : changed)
      if (names.size() < kNamedFiles)
        names.push_back(file.lexically_relative(source_).string());
    say(fmt::format("{}{} changed", fmt::join(names, ", "),
                    changed.size() > names.size()
                        ? fmt::format(" and {} more", changed.size() - names.size())
                        : ""));
    pending_.merge(changed);
    if (!run_step(with_config({cmake_, "--build", build_.string()}, "--config"), signals)) {
      say("the build failed: no test ran");
      return;
    }
    const std::set<std::string> dependent = dependents(tests(signals), before_, pending_);
    pending_.clear();
    if (dependent.empty()) {
      say("no test depends on it");
      return;
    }
    const bool passed = run_tests(dependent, signals);
    before_ = times_of(tests(signals)); // because tests write files as well
    write_pages(signals);
    report::ResultStates now = results();
    fmt::print("since the last run:\n{}",
               report::changes_terminal(report::changes(known, now), wants_colour()));
    say(passed           ? "all tests passed"
        : label_.empty() ? "a test failed, or missed its threshold"
                         : "a test failed, missed its threshold, or none has such a label");
    known = std::move(now);
  }

  fs::path build_, source_, results_;
  std::string config_, label_, cmake_, ctest_;
  unsigned parallel_;
  bool serves_;
  std::uint16_t port_;
  std::optional<PageServer> server_;
  FileTimes before_;           // times of what tests need, from the last good state
  std::set<fs::path> pending_; // files that changed while builds failed
  process::ScratchFolder scratch_{"gputest-watch"};
};

} // namespace

int watch_command(int argc, char** argv) {
  cxxopts::Options known = options();
  const cxxopts::ParseResult arguments = known.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(known);
  const auto runs = static_cast<unsigned>(whole_option(arguments, "runs", {0, ~0U}));
  Watch(arguments).run(runs);
  return Held;
}

} // namespace gputest::driver
