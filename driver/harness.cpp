#include "driver/harness.h"

#include "driver/command_error.h"
#include "driver/thresholds.h"
#include "hostgen/harness.h"
#include "model/files.h"
#include "model/operators.h"

#include <charconv>
#include <cmath>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <stdexcept>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

cxxopts::Options harness_options() {
  cxxopts::Options options("gputest harness", "Writes the host program that tests a kernel");
  const auto text = [] { return cxxopts::value<std::string>()->default_value(""); };
  const auto texts = [] { return cxxopts::value<Strings>()->default_value(""); };
  options.add_options("What to write")("interface", "interface.json of the kernel's file",
                                       text())("o,output", "The C++ file to write", text())(
      "executable-dir",
      "Where the executable will be: paths are relative to it. Default: that of the output",
      text());
  options.add_options("The kernel")("name", "Names the results. Default: the kernel", text())(
      "kernel", "Its name. Default: the only one there is",
      text())("function", "Test this device function through its wrapper kernel",
              text())("source", "The file it is in",
                      text())("kernel-dir", "Where coverage.cl and sites.json are", text())(
      "user-interface", "An interface.json you have edited",
      text())("D,define", "Define a macro: NAME or NAME=VALUE",
              texts())("I,include", "Search a folder for included files",
                       texts())("build-option", "For the device's compiler",
                                texts())("cl-std", "CL1.2, CL2.0 or CL3.0", text());
  options.add_options("The tests")("global-size", "x, x,y or x,y,z",
                                   text())("local-size", "As many numbers", text())(
      "argument", "name=3.5 or name:size=64,fill=iota",
      texts())("test-case", "A JSON file of cases",
               texts())("reference", "A C++ file with a function to compare with",
                        text())("reference-function", "Its name. Default: <kernel>_reference",
                                text())("absolute", "Tolerated difference", text())(
      "relative", "Tolerated difference / |expected|",
      text())("ulp", "Tolerated difference in units in the last place",
              text())("timeout", "Seconds for each case. Default: 60",
                      text())("device", "Name, type or index of the device", text())(
      "threshold", "CRITERION=PERCENT to reach: statement, branch, condition, loop, barrier",
      texts())("driver", "The gputest command, for devices that need another variant", text())(
      "simulator", "The program gputest-simulator", text())("check", "A check of --check", texts())(
      "interleavings", "The most that --check interleavings runs of a case. Default: 100000",
      text());
  options.add_options("Mutation; defaults of the harness's own options")(
      "mutation-threshold", "Percent of mutants to kill",
      text())("mutation-operators", "Names of operators, conventional, gpu, all; with commas",
              text())("mutation-repeat", "Runs of each case for each mutant. Default: 3",
                      text())("mutation-sample", "So many mutants",
                              text())("mutation-seed", "Of the sample. Default: 1", text())(
      "mutation-since", "Only lines changed since this git ref",
      text())("mutation-timeout-factor", "Time limit, in times of the original. Default: 10",
              text())("mutation-all-cases", "Run all cases, also after a kill")(
      "mutation-store", "SQLite file of outcomes. Default: results.db beside --kernel-dir", text());
  options.add_options("Schedules; defaults of the harness's own options")(
      "schedules", "Orders for each case. Default: 10",
      text())("schedules-strategy", "permute, first, serial, reverse or all. Default: all",
              text())("schedules-seed", "Of random orders. Default: 1",
                      text())("schedules-repeat", "Runs of each. Default: 3", text());
  options.add_options()("h,help", "Print this");
  return options;
}

// The number an option gives; a CommandError naming the option when it is none.
template <typename Number> Number number(const std::string& option, const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool fits = error == std::errc() && end == text.data() + text.size();
  if constexpr (std::is_floating_point_v<Number>)
    fits = fits && std::isfinite(value) && value >= 0;
  if (!fits)
    throw CommandError(fmt::format("error: --{} '{}': give a {}", option, text,
                                   std::is_floating_point_v<Number> ? "number, at least 0"
                                                                    : "whole number, at least 0"));
  return value;
}

template <typename Number>
std::optional<Number> optional_number(const cxxopts::ParseResult& arguments,
                                      const std::string& option) {
  if (arguments.count(option) == 0)
    return std::nullopt;
  return number<Number>(option, arguments[option].as<std::string>());
}

// "6", "16,4" or "16,4,1".
std::vector<std::size_t> sizes(const cxxopts::ParseResult& arguments, const std::string& option) {
  std::vector<std::size_t> numbers;
  if (arguments.count(option) == 0)
    return numbers;
  std::string rest = arguments[option].as<std::string>();
  while (true) {
    const std::size_t comma = rest.find(',');
    numbers.push_back(number<std::size_t>(option, rest.substr(0, comma)));
    if (numbers.back() == 0)
      throw CommandError(fmt::format("error: --{}: sizes are at least 1", option));
    if (comma == std::string::npos)
      break;
    rest = rest.substr(comma + 1);
  }
  if (numbers.size() > 3)
    throw CommandError(fmt::format("error: --{}: give 1 to 3 numbers", option));
  return numbers;
}

Strings operators(const std::string& list) {
  Strings names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');)
    names.push_back(name);
  try {
    model::select_operators(names);
  } catch (const std::invalid_argument& error) {
    throw CommandError(fmt::format("error: --mutation-operators: {}", error.what()));
  }
  return names;
}

hostgen::MutationSettings mutation_settings(const cxxopts::ParseResult& arguments) {
  hostgen::MutationSettings settings;
  settings.threshold = optional_number<double>(arguments, "mutation-threshold");
  settings.operators = operators(arguments["mutation-operators"].as<std::string>());
  settings.repeat = optional_number<unsigned>(arguments, "mutation-repeat");
  settings.sample = optional_number<unsigned>(arguments, "mutation-sample");
  settings.seed = optional_number<unsigned>(arguments, "mutation-seed");
  settings.since = arguments["mutation-since"].as<std::string>();
  settings.timeout_factor = optional_number<double>(arguments, "mutation-timeout-factor");
  settings.all_cases = arguments.count("mutation-all-cases") != 0;
  settings.store = arguments["mutation-store"].as<std::string>();
  if (settings.threshold.value_or(0) > 100)
    throw CommandError("error: --mutation-threshold: give a percentage, 0 to 100");
  if (settings.timeout_factor.value_or(1) < 1)
    throw CommandError("error: --mutation-timeout-factor: give a number, at least 1");
  for (const char* option : {"mutation-repeat", "mutation-sample"})
    if (optional_number<unsigned>(arguments, option) == 0u)
      throw CommandError(fmt::format("error: --{}: give a whole number, at least 1", option));
  return settings;
}

hostgen::ScheduleSettings schedule_settings(const cxxopts::ParseResult& arguments) {
  static const std::set<std::string> strategies{"", "permute", "first", "serial", "reverse", "all"};
  hostgen::ScheduleSettings settings;
  settings.count = optional_number<unsigned>(arguments, "schedules");
  settings.repeat = optional_number<unsigned>(arguments, "schedules-repeat");
  settings.seed = optional_number<unsigned>(arguments, "schedules-seed");
  settings.strategy = arguments["schedules-strategy"].as<std::string>();
  if (settings.count == 0u || settings.repeat == 0u)
    throw CommandError(fmt::format("error: --{}: give a whole number, at least 1",
                                   settings.count == 0u ? "schedules" : "schedules-repeat"));
  if (!strategies.contains(settings.strategy))
    throw CommandError(fmt::format("error: --schedules-strategy '{}' is none of permute, first, "
                                   "serial, reverse, all",
                                   settings.strategy));
  return settings;
}

hostgen::HarnessSettings settings_of(const cxxopts::ParseResult& arguments) {
  const auto text = [&](const char* option) { return arguments[option].as<std::string>(); };
  const auto texts = [&](const char* option) {
    return arguments.count(option) ? arguments[option].as<Strings>() : Strings{};
  };
  const auto paths = [&](const char* option) {
    const Strings given = texts(option);
    return std::vector<fs::path>(given.begin(), given.end());
  };
  hostgen::HarnessSettings settings;
  settings.executable_dir = text("executable-dir").empty()
                                ? fs::absolute(text("output")).parent_path()
                                : fs::path(text("executable-dir"));
  settings.name = text("name");
  settings.kernel = text("kernel");
  settings.function = text("function");
  settings.source = text("source");
  settings.kernel_dir = text("kernel-dir");
  settings.user_interface = text("user-interface");
  settings.global_size = sizes(arguments, "global-size");
  settings.local_size = sizes(arguments, "local-size");
  settings.arguments = texts("argument");
  settings.test_cases = paths("test-case");
  settings.reference = text("reference");
  settings.reference_function = text("reference-function");
  settings.absolute = optional_number<double>(arguments, "absolute");
  settings.relative = optional_number<double>(arguments, "relative");
  settings.ulp = optional_number<std::uint64_t>(arguments, "ulp");
  settings.build_options = texts("build-option");
  settings.definitions = texts("define");
  settings.include_dirs = paths("include");
  settings.cl_std = text("cl-std");
  settings.timeout = optional_number<double>(arguments, "timeout");
  settings.device = text("device");
  for (const auto& [criterion, percent] : parse_thresholds(texts("threshold")).percent)
    settings.thresholds[std::string(model::name_of(criterion))] = percent;
  settings.mutation = mutation_settings(arguments);
  settings.schedules = schedule_settings(arguments);
  settings.driver = text("driver");
  settings.simulator = text("simulator");
  settings.checks = texts("check");
  settings.interleavings = optional_number<std::uint64_t>(arguments, "interleavings");
  if (settings.interleavings == 0u)
    throw CommandError("error: --interleavings: give a whole number, at least 1");
  return settings;
}

// Options that contradict each other or are needed and absent.
void check(const cxxopts::ParseResult& arguments, const hostgen::HarnessSettings& settings) {
  for (const char* option : {"interface", "output", "source", "kernel-dir", "global-size"})
    if (arguments[option].as<std::string>().empty())
      throw CommandError(fmt::format("error: --{} is missing; see gputest harness --help", option));
  if (!arguments.unmatched().empty())
    throw CommandError(fmt::format("error: '{}' is no option; see gputest harness --help",
                                   arguments.unmatched().front()));
  if (!settings.kernel.empty() && !settings.function.empty())
    throw CommandError("error: give --kernel or --function, not both");
  if (!settings.local_size.empty() && settings.local_size.size() != settings.global_size.size())
    throw CommandError("error: --local-size needs as many numbers as --global-size");
  if (!settings.reference_function.empty() && settings.reference.empty())
    throw CommandError("error: --reference-function: say with --reference which file it is in");
}

int harness(int argc, char** argv) {
  cxxopts::Options options = harness_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help")) {
    fmt::print("{}", options.help());
    return Held;
  }
  const hostgen::HarnessSettings settings = settings_of(arguments);
  check(arguments, settings);
  const model::Interface interface =
      model::read_interface(arguments["interface"].as<std::string>());
  try {
    model::write_atomically(arguments["output"].as<std::string>(),
                            hostgen::generate_harness(interface, settings));
  } catch (const hostgen::HarnessError& error) {
    throw CommandError(error.what());
  }
  return Held;
}

} // namespace

int harness_command(int argc, char** argv) {
  return run_command("harness", [&] { return harness(argc, argv); });
}

} // namespace gputest::driver
