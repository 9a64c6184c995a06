// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/oracle_arguments.h"
#include "driver/program_arguments.h"
#include "driver/program_kinds.h"
#include "driver/program_name.h"
#include "driver/programs/analyses.h"
#include "driver/report/report.h"
#include "model/analysis_options.h"
#include "process/command.h"
#include "program/output_lock.h"

#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <string_view>

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
  options.add_options()("device",
                        "simulator: run launches there, and not on the program's devices; for CUDA "
                        "programs also gpu",
                        cxxopts::value<std::string>(), "NAME");
  model::add_analysis_options(options, all, model::kInRun);
  add_oracle_options(options);
  for (const program::ProgramKind& kind : program_kinds())
    add_kind_options(options, kind.options, fmt::format("{} programs", kind.title));
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
    program = process::find_program(command.command[name_of(command.command).program]);
  return program::kind_of(program_kinds(), program.value_or(""));
}

// Returns whether a variable gives the time limit of a whole target, which is for others as well.
bool is_for_all(std::string_view setting) {
  const char* const limit = std::getenv("GPUTEST_TIME_LIMIT");
  return setting == "time-limit" && limit && *limit;
}

// Returns the names of the other kinds.
std::string others_of(const program::ProgramKind& kind) {
  std::string others;
  for (const program::ProgramKind& other : program_kinds())
    if (other.name != kind.name)
      others += fmt::format("{}{}", others.empty() ? "" : " and ", other.title);
  return others;
}

// Refuses options of other kinds, and settings that mean nothing for this one.
void refuse_others_of(const program::ProgramKind& kind, const cxxopts::ParseResult& arguments,
                      const std::optional<model::Settings>& settings) {
  for (const program::ProgramKind& other : program_kinds())
    for (const program::KindOption& option : other.options)
      if (other.name != kind.name && arguments.count(std::string(option.name)) > 0)
        throw CommandError(fmt::format("error: --{} is for {} programs", option.name, other.title));
  for (const program::UnusedSetting& unused : kind.unused)
    if (settings && settings->analysis().name == unused.analysis &&
        settings->given(unused.setting) && !is_for_all(unused.setting))
      throw CommandError(fmt::format("error: --{} is for {} programs: of a {} program {}",
                                     unused.setting, others_of(kind), kind.title, unused.why));
}

int run_as(const program::ProgramKind& kind, const cxxopts::ParseResult& arguments,
           const ProgramCommand& command, const std::optional<model::Settings>& asked) {
  refuse_others_of(kind, arguments, asked);
  if (!asked && kind.plain_analysis.empty())
    throw CommandError("error: what is to be measured? See gputest run --help");
  if (!asked && arguments.count("device") == 0)
    throw CommandError("error: what is to be measured? Give an analysis, such as --coverage, or "
                       "--device simulator alone; see gputest run --help");
  // The simulator runs a program without checks as it does with them.
  const model::Settings settings =
      asked ? *asked
            : model::Settings(*model::find_analysis(model::analyses(), kind.plain_analysis));
  const AnalysisCommand& row = command_of(settings.analysis());
  refuse_other_reports(arguments, {&settings.analysis()});
  if (row.check)
    row.check(settings, arguments);
  program::ProgramTask task = task_of(arguments, command);
  task.oracle = oracle_of(arguments);
  task.quiet = arguments["no-terminal"].as<bool>();
  const auto program = kind.open(std::move(task), given_options(arguments, kind.options),
                                 asked ? &settings : nullptr);
  program->refuse(settings);
  // Errors are reported before anything is made.
  const program::OutputLock lock(program->task().output);
  if (program->lacks_device())
    return program::kSkipped;
  return row.run({*program, kind, settings, arguments, asked.has_value()});
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
  try {
    return run_as(*kind, arguments, command, asked(arguments, all, kind->places));
  } catch (const model::SettingError& error) {
    throw CommandError(fmt::format("error: {}", error.what()));
  }
}

} // namespace

int run_program_command(int argc, char** argv) {
  return run(argc, argv, nullptr);
}

int run_cuda_command(int argc, char** argv) {
  return run(argc, argv, &kind_named("cuda"));
}

} // namespace gputest::driver
