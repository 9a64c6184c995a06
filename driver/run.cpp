#include "driver/run.h"

#include "driver/command_error.h"
#include "driver/program_arguments.h"
#include "driver/repeated_runs.h"
#include "driver/report.h"
#include "driver/run_coverage.h"
#include "driver/run_mutation.h"
#include "driver/run_schedules.h"

#include <cctype>
#include <fmt/format.h>
#include <iostream>
#include <string_view>

namespace gputest::driver {
namespace {

// cxxopts takes the value of an option that need not have one only behind "=": "--schedules 5" is
// made "--schedules=5", which `joined` holds.
void join_count(std::vector<char*>& words, std::string& joined) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    if (words[i] == std::string_view("--schedules") && std::isdigit(words[i + 1][0]) != 0) {
      joined = fmt::format("--schedules={}", words[i + 1]);
      words[i] = joined.data();
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
}

int run(int argc, char** argv) {
  cxxopts::Options options("gputest run",
                           "Runs an OpenCL program as it is, and says what its launches cover of "
                           "its kernels, whether it notices changes of them, or whether it depends "
                           "on the order of work-groups and work-items.\n");
  options.custom_help("--coverage|--mutation|--schedules[=N] [OPTION…] --")
      .positional_help("PROGRAM [ARGUMENT…]");
  options.add_options()("coverage", "measure coverage")("launches",
                                                        "coverage: of each launch by itself, too")(
      "mutation", "run the program once for each mutant of its kernels")("h,help", "print this");
  add_program_options(options);
  add_mutation_run_options(options);
  add_schedules_run_options(options);
  add_repeated_run_options(options);
  add_report_options(options);
  ProgramCommand command = split_command(argc, argv);
  std::string count;
  join_count(command.options, count);
  const cxxopts::ParseResult arguments =
      options.parse(static_cast<int>(command.options.size()), command.options.data());
  if (arguments.count("help") > 0) {
    std::cout << options.help();
    return Held;
  }
  if (arguments.count("coverage") + arguments.count("mutation") + arguments.count("schedules") != 1)
    throw CommandError("error: what is to be measured? Give --coverage, --mutation or --schedules");
  if (arguments.count("launches") > 0 && arguments.count("coverage") == 0)
    throw CommandError("error: --launches is for --coverage");
  if (arguments.count("schedules") > 0) {
    refuse_mutation_run_options(arguments);
    check_schedules_run_options(arguments);
    return run_schedules(prepare_program(arguments, command), arguments);
  }
  refuse_schedules_run_options(arguments);
  if (arguments.count("mutation") > 0) {
    check_mutation_run_options(arguments);
    return run_mutation(prepare_program(arguments, command), arguments);
  }
  refuse_mutation_run_options(arguments);
  refuse_repeated_run_options(arguments);
  coverage_thresholds(arguments); // wrong ones are told before anything is run
  return run_coverage(prepare_program(arguments, command), arguments);
}

} // namespace

int run_program_command(int argc, char** argv) {
  return run_command("run", [&] { return run(argc, argv); });
}

} // namespace gputest::driver
