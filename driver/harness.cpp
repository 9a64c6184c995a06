// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/lock_step_option.h"
#include "hostgen/harness.h"
#include "model/files.h"
#include "model/language.h"
#include "model/names.h"
#include "model/whole_number.h"

#include <cstdint>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <limits>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

constexpr std::uint64_t kMostSize = std::numeric_limits<std::int64_t>::max();

cxxopts::Options harness_options() {
  cxxopts::Options options("gputest harness", "Writes the host program that tests a kernel");
  const auto text = [] { return cxxopts::value<std::string>()->default_value(""); };
  const auto texts = [] { return cxxopts::value<Strings>()->default_value(""); };
  options.add_options("What to write")("interface", "The interface.json of the kernel's file",
                                       text())("o,output", "The C++ file to write", text())(
      "executable-dir",
      "Where the executable will be: paths are relative to it. Default: that of the output",
      text());
  options.add_options("The kernel")("name", "Names the results. Default: the kernel", text())(
      "kernel", "The kernel's name. Default: the only kernel",
      text())("function", "Test this device function through its wrapper kernel",
              text())("source", "The kernel's file",
                      text())("kernel-dir", "Where coverage.cl and sites.json are", text())(
      "user-interface", "An interface.json that you have edited",
      text())("D,define", "Define a macro: NAME or NAME=VALUE",
              texts())("I,include", "Search a folder for included files",
                       texts())("build-option", "An option for the device's compiler",
                                texts())("cl-std",
                                         "Version of OpenCL C, C++ for OpenCL or CUDA: CL1.2, "
                                         "CL2.0, CL3.0; CLC++1.0, CLC++2021; c++20",
                                         text());
  options.add_options("The tests")("global-size", "Work-items: x, x,y or x,y,z", text())(
      "local-size", "Work-items of a work-group: as many numbers",
      text())("global-offset", "Where global ids begin: as many numbers",
              text())("shared-memory", "For CUDA: bytes of dynamic __shared__ memory of a block",
                      text())(kLockStepOption, kLockStepHelp,
                              text())("argument", "An argument: name=3.5 or name:size=64,fill=iota",
                                      texts())("test-case", "A JSON file of cases", texts())(
      "case-of-arguments", "The arguments are a case, too, if none is missing")(
      "reference", "A C++ file with a function to compare with",
      text())("reference-function", "The function's name. Default: <kernel>_reference", text())(
      "reference-host", "Compare with the host's version of --function, which is linked")(
      "reference-source", "A file with a kernel to compare with, in OpenCL C or CUDA",
      text())("reference-kernel", "That kernel's name. Default: the only one",
              text())("reference-dir", "Where its interface.json is", text())(
      "reference-global-size",
      "Its work-items, such as 64 or rows,columns. Default: those of the launch",
      text())("reference-local-size", "Work-items of its work-groups",
              text())("reference-argument", "Names that differ: theirs=ours", texts())(
      "property", "A C++ file with a function that throws if outputs are wrong",
      text())("property-function", "The function's name. Default: <kernel>_property",
              text())("require", "A condition for generated inputs: n <= global_size(0)",
                      texts())("absolute", "Tolerated difference",
                               text())("relative", "Tolerated difference / |expected|", text())(
      "ulp", "Tolerated difference in units in the last place",
      text())("timeout", "Seconds for each case. Default: 60",
              text())("device", "Name, type or index of the device", text())(
      "setting", "A setting of an analysis, as in gputest_add_kernel(): coverage.branch=100",
      texts())("driver", "The gputest command, for devices that need another variant",
               text())("simulator", "The program gputest-simulator", text());
  options.add_options()("h,help", "Print this");
  return options;
}

std::vector<model::NamedSetting> named_settings(const Strings& texts) {
  std::vector<model::NamedSetting> settings;
  for (const std::string& text : texts)
    try {
      settings.push_back(
          model::parse_setting(model::analyses(), model::kInKernel | model::kInHarness, text));
    } catch (const model::SettingError& error) {
      throw CommandError(fmt::format("error: --setting {}: {}", text, error.what()));
    }
  return settings;
}

hostgen::HarnessSettings settings_of(const cxxopts::ParseResult& arguments) {
  const auto text = [&](const char* option) { return arguments[option].as<std::string>(); };
  const auto texts = [&](const char* option) { return list_of(arguments, option); };
  const auto paths = [&](const char* option) {
    const Strings given = texts(option);
    return std::vector<fs::path>(given.begin(), given.end());
  };
  hostgen::HarnessSettings settings;
  settings.executable_dir = text("executable-dir").empty()
                                ? (fs::current_path() / text("output")).parent_path()
                                : fs::path(text("executable-dir"));
  settings.name = text("name");
  settings.kernel = text("kernel");
  settings.function = text("function");
  settings.source = text("source");
  settings.kernel_dir = text("kernel-dir");
  settings.user_interface = text("user-interface");
  settings.global_size = sizes_of(arguments, "global-size", kMostSize);
  settings.local_size = sizes_of(arguments, "local-size", kMostSize);
  settings.global_offset = sizes_of(arguments, "global-offset", kMostSize, 0);
  settings.shared_memory =
      optional_whole(arguments, "shared-memory", model::kSharedBytes).value_or(0);
  settings.lock_step = lock_step_option(arguments);
  settings.arguments = texts("argument");
  settings.test_cases = paths("test-case");
  settings.has_case_of_arguments = arguments.count("case-of-arguments") != 0;
  settings.reference = text("reference");
  settings.reference_function = text("reference-function");
  settings.reference_host = arguments.count("reference-host") != 0;
  settings.reference_source = text("reference-source");
  settings.reference_kernel = text("reference-kernel");
  settings.reference_dir = text("reference-dir");
  settings.reference_global_size = model::split(text("reference-global-size"), ',');
  settings.reference_local_size = model::split(text("reference-local-size"), ',');
  settings.reference_arguments = texts("reference-argument");
  settings.property = text("property");
  settings.property_function = text("property-function");
  settings.requirements = texts("require");
  settings.absolute = optional_real(arguments, "absolute");
  settings.relative = optional_real(arguments, "relative");
  settings.ulp = optional_whole(arguments, "ulp");
  settings.build_options = texts("build-option");
  settings.definitions = texts("define");
  settings.include_dirs = paths("include");
  settings.cl_std = text("cl-std");
  if (const model::LanguageRow& row = model::row_of(settings.source);
      row.is_simulated && settings.cl_std.empty())
    settings.cl_std = row.standard;
  if (arguments.count("timeout") != 0)
    settings.timeout = seconds_option(arguments, "timeout");
  settings.device = text("device");
  settings.settings = named_settings(texts("setting"));
  settings.driver = text("driver");
  settings.simulator = text("simulator");
  return settings;
}

// Throws for options that contradict each other, or are needed and absent.
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
  if (!settings.global_offset.empty() &&
      settings.global_offset.size() != settings.global_size.size())
    throw CommandError("error: --global-offset needs as many numbers as --global-size");
  if (!settings.reference_function.empty() && settings.reference.empty())
    throw CommandError("error: --reference-function: say with --reference which file it is in");
  if (!settings.reference_source.empty() && !settings.reference.empty())
    throw CommandError("error: give --reference or --reference-source, not both");
  if (settings.reference_host && settings.function.empty())
    throw CommandError("error: --reference-host: say with --function which function it calls");
  if (settings.reference_host &&
      (!settings.reference.empty() || !settings.reference_source.empty()))
    throw CommandError("error: --reference-host excludes --reference and --reference-source");
  if (settings.reference_source.empty() != settings.reference_dir.empty())
    throw CommandError("error: --reference-source and --reference-dir need each other");
  if (!settings.reference_local_size.empty() &&
      settings.reference_local_size.size() != settings.reference_global_size.size())
    throw CommandError(
        "error: --reference-local-size needs as many numbers as --reference-global-size");
  if (!settings.property_function.empty() && settings.property.empty())
    throw CommandError("error: --property-function: say with --property which file it is in");
}

} // namespace

int harness_command(int argc, char** argv) {
  cxxopts::Options options = harness_options();
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
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

} // namespace gputest::driver
