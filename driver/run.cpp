#include "driver/run.h"

#include "driver/command_error.h"
#include "driver/program_arguments.h"
#include "driver/repeated_runs.h"
#include "driver/report.h"
#include "driver/run_check.h"
#include "driver/run_coverage.h"
#include "driver/run_mutation.h"
#include "driver/run_schedules.h"

#include <cctype>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

namespace gputest::driver {
namespace {

// cxxopts takes the value of an option that need not have one only behind "=": "--schedules 5" is
// made "--schedules=5", which `joined` holds.
void join_value(std::vector<char*>& words, std::string_view option, bool is_number,
                std::string& joined) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string_view value = words[i + 1];
    if (words[i] != option || value.empty() ||
        (is_number ? std::isdigit(value[0]) : std::isalpha(value[0])) == 0)
      continue;
    joined = fmt::format("{}={}", option, value);
    words[i] = joined.data();
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

ProgramRun prepare(const cxxopts::ParseResult& arguments, const ProgramCommand& command) {
  std::optional<runtime::SimulatedProgram> simulator;
  if (wants_simulator(arguments))
    simulator = simulator_settings(arguments); // what is wrong is told before anything is made
  ProgramRun prepared = prepare_program(arguments, command);
  prepared.settings.simulator = std::move(simulator);
  return prepared;
}

int run(int argc, char** argv) {
  cxxopts::Options options("gputest run",
                           "Runs an OpenCL program as it is, and says what its launches cover of "
                           "its kernels, whether it notices changes of them, whether it depends on "
                           "the order of work-groups and work-items, or what the simulator finds "
                           "in them.\n");
  options.custom_help("--coverage|--mutation|--schedules[=N]|--check[=LIST] [OPTION…] --")
      .positional_help("PROGRAM [ARGUMENT…]");
  options.add_options()("coverage", "measure coverage")("launches",
                                                        "coverage: of each launch by itself, too")(
      "no-compare",
      "coverage: do not run the program without instrumentation to compare what it reads back")(
      "mutation", "run the program once for each mutant of its kernels")("h,help", "print this");
  add_program_options(options);
  add_mutation_run_options(options);
  add_schedules_run_options(options);
  add_repeated_run_options(options);
  add_simulator_run_options(options);
  add_report_options(options);
  ProgramCommand command = split_command(argc, argv);
  std::string count, checks;
  join_value(command.options, "--schedules", true, count);
  join_value(command.options, "--check", false, checks);
  const cxxopts::ParseResult arguments =
      options.parse(static_cast<int>(command.options.size()), command.options.data());
  if (arguments.count("help") > 0) {
    std::cout << options.help();
    return Held;
  }
  const std::size_t measures = arguments.count("coverage") + arguments.count("mutation") +
                               arguments.count("schedules") + arguments.count("check");
  if (measures > 1 || (measures == 0 && arguments.count("device") == 0))
    throw CommandError("error: what is to be measured? Give --coverage, --mutation, --schedules or "
                       "--check, or --device simulator alone");
  for (const char* option : {"launches", "no-compare"})
    if (arguments.count(option) > 0 && arguments.count("coverage") == 0)
      throw CommandError(fmt::format("error: --{} is for --coverage", option));
  if (arguments.count("schedules") > 0) {
    refuse_mutation_run_options(arguments);
    if (arguments.count("groups") + arguments.count("items") + arguments.count("order-seed") > 0)
      throw CommandError("error: --groups, --items and --order-seed are orders of their own: leave "
                         "them out with --schedules");
    check_schedules_run_options(arguments);
    return run_schedules(prepare(arguments, command), arguments);
  }
  refuse_schedules_run_options(arguments);
  if (arguments.count("mutation") > 0) {
    check_mutation_run_options(arguments);
    return run_mutation(prepare(arguments, command), arguments);
  }
  refuse_mutation_run_options(arguments);
  refuse_repeated_run_options(arguments);
  if (arguments.count("coverage") == 0)
    return run_check(prepare(arguments, command), arguments);
  coverage_thresholds(arguments); // wrong ones are told before anything is run
  return run_coverage(prepare(arguments, command), arguments);
}

} // namespace

int run_program_command(int argc, char** argv) {
  return run_command("run", [&] { return run(argc, argv); });
}

} // namespace gputest::driver
