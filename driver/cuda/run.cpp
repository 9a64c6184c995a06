// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/cuda/run.h"

#include "driver/analyses.h"
#include "driver/command_error.h"
#include "driver/commands.h"
#include "driver/program_arguments.h"
#include "driver/report/report.h"
#include "model/analyses.h"
#include "model/processes/cuda_environment.h"

#include <fmt/format.h>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// The analyses that this subcommand does.
std::vector<const model::Analysis*> analyses() {
  std::vector<const model::Analysis*> all;
  for (const model::Analysis& analysis : model::analyses())
    if (command_of(analysis).run_cuda)
      all.push_back(&analysis);
  return all;
}

cxxopts::Options command_line() {
  cxxopts::Options options(
      "gputest run-cuda",
      "Runs a CUDA program that was built for that, in the simulator or on a GPU, and reports one "
      "of these: what its launches cover of its device code, whether it notices changes of that "
      "code and of the launches, or whether kernels depend on the order of blocks.\n");
  std::string names;
  for (const model::Analysis* const analysis : analyses())
    names += fmt::format("{}--{}", names.empty() ? "" : "|", analysis->name);
  options.custom_help(names + " [OPTION…] -- PROGRAM [ARGUMENT…]");
  const auto text = [] { return cxxopts::value<std::string>(); };
  for (const model::Analysis* const analysis : analyses())
    options.add_options()(std::string(analysis->name), std::string(analysis->help));
  options.add_options()("h,help", "print this")(
      "setting", "a setting of the analysis, as in gputest_add_cuda_program(): coverage.branch=100",
      cxxopts::value<std::vector<std::string>>(), "ANALYSIS.NAME=VALUE")(
      "o,output", "the folder for results", text()->default_value("gputest-run"),
      "DIR")("name", "the program's name in reports (default: the name of its file)", text(),
             "NAME")("timeout", "seconds for a run (default: none)", cxxopts::value<std::string>(),
                     "S")("device", "the device for which the program is built: simulator or gpu",
                          text()->default_value("simulator"),
                          "DEVICE")("fresh", "mutation: run all mutants, whatever is stored")(
      "whole-runs", "mutation: on a GPU, too, begin a process for each mutant")(
      "tables", "the folder of the compiler's tables, if the program was built somewhere else",
      text(), "DIR")("source-root",
                     "the folder of the source files (default: the working directory)", text(),
                     "DIR");
  options.add_options()("zero-shared", "simulator: __shared__ memory begins with zeros");
  add_report_options(options);
  return options;
}

model::Settings asked(const cxxopts::ParseResult& arguments) {
  const model::Analysis* found = nullptr;
  for (const model::Analysis* const analysis : analyses())
    if (arguments.count(std::string(analysis->name)) > 0) {
      if (found)
        throw CommandError(
            fmt::format("error: --{} and --{}: one at a time", found->name, analysis->name));
      found = analysis;
    }
  if (!found)
    throw CommandError("error: what is to be measured? See gputest run-cuda --help");
  model::Settings settings(*found);
  if (arguments.count("setting") > 0)
    model::set_each(settings, model::analyses(), model::kInProgram | model::kInRun | model::kInCuda,
                    arguments["setting"].as<std::vector<std::string>>());
  return settings;
}

} // namespace

int run_cuda_command(int argc, char** argv) {
  cxxopts::Options options = command_line();
  const ProgramCommand command = split_command(argc, argv);
  const cxxopts::ParseResult arguments =
      options.parse(static_cast<int>(command.options.size()), command.options.data());
  if (arguments.count("help"))
    return print_help(options);
  try {
    const model::Settings settings = asked(arguments);
    const AnalysisCommand& row = command_of(settings.analysis());
    refuse_other_reports(arguments, {&settings.analysis()});
    for (const char* const option : {"fresh", "whole-runs"})
      if (arguments.count(option) > 0 && row.run_cuda != run_cuda_mutation)
        throw CommandError(fmt::format("error: --{} is for --mutation", option));
    row.check_cuda(settings, arguments);
    if (command.command.empty())
      throw CommandError("error: no program: gputest run-cuda [OPTION…] -- PROGRAM [ARGUMENT…]");
    CudaRun what{.output = fs::absolute(arguments["output"].as<std::string>()),
                 .name = arguments.count("name") > 0
                             ? arguments["name"].as<std::string>()
                             : fs::path(command.command.front()).filename().string(),
                 .child = {.command = command.command, .environment = {}, .output = {}},
                 .quiet = arguments["no-terminal"].as<bool>(),
                 .device = arguments["device"].as<std::string>(),
                 .tables = {}};
    if (what.device != "simulator" && what.device != "gpu")
      throw CommandError(
          fmt::format("error: --device: '{}' is not known: simulator or gpu", what.device));
    if (arguments.count("zero-shared") > 0) {
      if (what.device == "gpu")
        throw CommandError("error: --zero-shared is for the simulator: a GPU leaves any values");
      what.child.environment[model::kZeroShared] = "1";
    }
    if (arguments.count("tables") > 0)
      what.tables = fs::absolute(arguments["tables"].as<std::string>());
    if (arguments.count("timeout") > 0)
      what.child.timeout = seconds_option(arguments, "timeout");
    const program::OutputLock lock(what.output);
    if (lacks_device(what))
      return program::kSkipped;
    return row.run_cuda(what, settings, arguments);
  } catch (const model::SettingError& error) {
    throw CommandError(fmt::format("error: {}", error.what()));
  }
}

program::ChildSettings child_with(const CudaRun& run, const std::string& variant,
                                  const fs::path& records) {
  fs::remove_all(records);
  fs::create_directories(records);
  program::ChildSettings child = run.child;
  child.environment["GPUTEST_CUDA_VARIANT"] = variant;
  child.environment["GPUTEST_CUDA_RECORDS"] = records.string();
  if (variant == "mutants") { // the host's code that a mutant runs is not covered by it
    child.environment["GCOV_PREFIX"] = (records / "host").string();
    child.environment["LLVM_PROFILE_FILE"] = (records / "host" / "%p.profraw").string();
  }
  return child;
}

bool lacks_device(const CudaRun& run) {
  if (run.device != "gpu")
    return false;
  program::ChildSettings child = run.child;
  child.environment["GPUTEST_CUDA_PROBE"] = "1";
  return program::run_child(child).exit_code == program::kSkipped;
}

std::string nothing_recorded(const CudaRun& run, const std::string& keyword) {
  const std::string& program = run.child.command.front();
  if (run.device == "gpu")
    return fmt::format("{} launched no kernel that is built for {}: is it the copy of its target "
                       "that gputest_add_cuda_program(… {} DEVICE gpu) makes?",
                       program, keyword, keyword);
  return fmt::format(
      "{} launched no kernel in the simulator that is built for {}: is it built with "
      "gputest-cuda (cmake --toolchain gputest-cuda.cmake), and is it the TARGET of "
      "gputest_add_cuda_program(… {})?",
      program, keyword, keyword);
}

} // namespace gputest::driver
