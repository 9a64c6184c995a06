// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/program_arguments.h"

#include "driver/command_error.h"
#include "driver/layer_file.h"
#include "driver/program_name.h"
#include "process/command.h"

#include <cstring>
#include <fmt/format.h>

namespace gputest::driver {

namespace fs = std::filesystem;

ProgramCommand split_command(int argc, char** argv) {
  ProgramCommand parts;
  int i = 0;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
    parts.options.push_back(argv[i]);
  for (++i; i < argc; ++i)
    parts.command.emplace_back(argv[i]);
  return parts;
}

void add_program_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options()("o,output", "the folder for results", text()->default_value("gputest-run"),
                        "DIR")(
      "name", "the program's name in reports (default: the name of its file or script)", text(),
      "N")("timeout", "seconds after which the program is killed, with all it started", text(),
           "S")("source-root",
                "name files below this folder relative to it (default: the working directory)",
                text(), "DIR");
}

void add_kind_options(cxxopts::Options& options, std::span<const program::KindOption> kind,
                      const std::string& group) {
  for (const program::KindOption& option : kind) {
    std::shared_ptr<cxxopts::Value> value;
    if (option.value.empty())
      value = cxxopts::value<bool>();
    else if (option.is_list)
      value = cxxopts::value<std::vector<std::string>>();
    else
      value = cxxopts::value<std::string>();
    if (!option.fallback.empty())
      value = value->default_value(std::string(option.fallback));
    options.add_options(group)(std::string(option.name), std::string(option.help), value,
                               std::string(option.value));
  }
}

program::GivenOptions given_options(const cxxopts::ParseResult& arguments,
                                    std::span<const program::KindOption> kind) {
  program::GivenOptions given;
  for (const program::KindOption& option : kind) {
    const std::string name(option.name);
    if (arguments.count(name) == 0)
      continue;
    if (option.is_list)
      given.add(name, arguments[name].as<std::vector<std::string>>());
    else
      given.add(name, {option.value.empty() ? "" : arguments[name].as<std::string>()});
  }
  if (arguments.count("device") > 0)
    given.add("device", {arguments["device"].as<std::string>()});
  return given;
}

program::ProgramTask task_of(std::vector<std::string> command, const std::string& name,
                             const fs::path& output) {
  if (!process::find_program(command.front()))
    throw CommandError(fmt::format("error: {}: there is no such program", command.front()));
  const ProgramName found = name_of(command);
  program::ProgramTask task{
      .name = name.empty() ? found.name : name,
      .output = fs::absolute(output).lexically_normal(),
      .executable = process::find_program(command[found.program]).value_or(command.front()),
      .script = found.script.value_or(""),
      .source_root = fs::current_path(),
      .files = {.own = own_file(),
                .simulator = place_of_simulator(),
                .layer = layer_file,
                .needed_simulator = simulator_file}};
  task.child.command = std::move(command);
  return task;
}

program::ProgramTask task_of(const cxxopts::ParseResult& arguments, const ProgramCommand& command) {
  if (!arguments.unmatched().empty())
    throw CommandError(fmt::format("error: '{}': the program to run comes behind '--'",
                                   arguments.unmatched().front()));
  if (command.command.empty())
    throw CommandError(
        "error: which program? Give it behind '--': gputest run … -- ./my_tests --all");
  program::ProgramTask task =
      task_of(command.command, "", fs::path(arguments["output"].as<std::string>()));
  if (arguments.count("name") > 0)
    task.name = arguments["name"].as<std::string>();
  if (task.name.empty() || task.name.find('/') != std::string::npos)
    throw CommandError("error: --name: is empty or holds a '/'");
  if (arguments.count("timeout") > 0)
    task.child.timeout = seconds_option(arguments, "timeout");
  if (arguments.count("source-root") > 0)
    task.source_root = fs::absolute(arguments["source-root"].as<std::string>());
  return task;
}

} // namespace gputest::driver
