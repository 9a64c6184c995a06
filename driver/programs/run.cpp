// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/oracle_arguments.h"
#include "driver/program_name.h"
#include "driver/programs/analyses.h"
#include "driver/report/report.h"
#include "driver/run/check.h"
#include "model/analysis_options.h"
#include "program/kind.h"

#include <fmt/format.h>
#include <optional>

namespace gputest::driver {
namespace {

// Returns the analyses that measure programs.
std::vector<model::Analysis> of_programs() {
  std::vector<model::Analysis> all;
  for (const model::Analysis& analysis : model::analyses())
    if (command_of(analysis).run)
      all.push_back(analysis);
  return all;
}

// Throws CommandError for an analysis that measures kernels with test cases alone.
void refuse_others(std::span<const std::string> words) {
  for (const model::Analysis& analysis : model::analyses())
    if (!command_of(analysis).run && !analysis.help.empty())
      for (const std::string& word : words)
        if (const std::string option = fmt::format("--{}", analysis.name);
            word == option || word.starts_with(option + "="))
          throw CommandError(fmt::format("error: {} is for kernels with test cases, and not for "
                                         "programs: see gputest_add_kernel()",
                                         option));
}

cxxopts::Options run_options(const char* name, std::span<const model::Analysis> all) {
  cxxopts::Options options(
      name,
      "Runs an existing OpenCL or CUDA program, and reports one of these: what its launches cover "
      "of its kernels, whether it notices changes of them, whether it depends on the order of "
      "work-groups and work-items, or the simulator's findings in its launches.\n");
  std::string analyses;
  for (const model::Analysis& analysis : all)
    analyses += fmt::format("{}--{}", analyses.empty() ? "" : "|", analysis.name);
  options.custom_help(analyses + " [OPTION…] -- PROGRAM [ARGUMENT…]");
  options.add_options()("h,help", "print this")(
      "setting", "a setting of the analysis, as in gputest_add_program(): coverage.branch=100",
      cxxopts::value<std::vector<std::string>>(), "ANALYSIS.NAME=VALUE");
  add_program_options(options);
  model::add_analysis_options(options, all, model::kInRun);
  add_oracle_options(options);
  add_simulator_run_options(options);
  add_cuda_options(options);
  add_report_options(options);
  return options;
}

// Returns the settings of the analysis, with those of --setting, which may also be those of
// `places`. Throws model::SettingError.
std::optional<model::Settings> asked(const cxxopts::ParseResult& arguments,
                                     std::span<const model::Analysis> all, unsigned places) {
  std::optional<model::AskedAnalysis> asked = model::asked_analysis(arguments, all, model::kInRun);
  if (!asked) {
    if (arguments.count("setting") > 0)
      throw model::SettingError("--setting is for an analysis, such as --coverage");
    return std::nullopt;
  }
  model::Settings settings(asked->settings.analysis());
  if (arguments.count("setting") > 0)
    model::set_each(settings, all, model::kInProgram | model::kInRun | places,
                    arguments["setting"].as<std::vector<std::string>>());
  settings.take_environment();
  if (asked->value)
    settings.set_value(*asked->value);
  settings.add(asked->settings);
  return settings;
}

// Returns the kind of the program that the command line runs.
const program::ProgramKind& kind_of(const ProgramCommand& command) {
  std::optional<std::filesystem::path> program;
  if (!command.command.empty())
    program = find_executable(command.command[name_of(command.command).program]);
  return program::kind_of(program.value_or(""));
}

int run_opencl(const cxxopts::ParseResult& arguments, const ProgramCommand& command,
               const std::optional<model::Settings>& settings) {
  refuse_cuda_options(arguments);
  if (!settings && arguments.count("device") == 0)
    throw CommandError("error: what is to be measured? Give an analysis, such as --coverage, or "
                       "--device simulator alone; see gputest run --help");
  // The simulator runs a program without checks as it does with them.
  const model::Settings asked_for =
      settings.value_or(model::Settings(*model::find_analysis(model::analyses(), "check")));
  const AnalysisCommand& row = command_of(asked_for.analysis());
  refuse_other_reports(arguments, {&asked_for.analysis()});
  if (row.check)
    row.check(asked_for, arguments);
  // Errors are reported before anything is made.
  const model::Oracle oracle = oracle_of(arguments);
  std::optional<runtime::SimulatedProgram> simulator =
      simulator_settings(arguments, settings && row.is_simulated ? &*settings : nullptr);
  ProgramRun prepared = prepare_program(arguments, command);
  prepared.settings.simulator = std::move(simulator);
  prepared.oracle = oracle;
  return row.run(prepared, asked_for, arguments);
}

// `kind`: the program's; nullptr: its file tells.
int run(int argc, char** argv, const program::ProgramKind* kind) {
  const std::vector<model::Analysis> all = of_programs();
  cxxopts::Options options = run_options(kind ? "gputest run-cuda" : "gputest run", all);
  const ProgramCommand command = split_command(argc, argv);
  const std::vector<std::string> words = model::with_joined_values(
      all, static_cast<int>(command.options.size()), command.options.data());
  refuse_others(words);
  std::vector<const char*> pointers;
  for (const std::string& word : words)
    pointers.push_back(word.c_str());
  const cxxopts::ParseResult arguments =
      options.parse(static_cast<int>(pointers.size()), pointers.data());
  if (arguments.count("help"))
    return print_help(options);
  if (!kind)
    kind = &kind_of(command);
  const bool is_cuda = kind->name == "cuda";
  std::optional<model::Settings> settings;
  try {
    settings = asked(arguments, all, is_cuda ? model::kInCuda : 0);
  } catch (const model::SettingError& error) {
    throw CommandError(fmt::format("error: {}", error.what()));
  }
  if (!is_cuda)
    return run_opencl(arguments, command, settings);
  return run_cuda(arguments, command, settings,
                  settings ? command_of(settings->analysis()).cuda : CudaAnalysis());
}

} // namespace

int run_program_command(int argc, char** argv) {
  return run(argc, argv, nullptr);
}

int run_cuda_command(int argc, char** argv) {
  return run(argc, argv, &program::kind_named("cuda"));
}

} // namespace gputest::driver
