#include "driver/run.h"

#include "driver/command_error.h"
#include "driver/program_arguments.h"
#include "driver/report.h"
#include "driver/run_coverage.h"
#include "driver/run_mutation.h"

#include <iostream>

namespace gputest::driver {
namespace {

int run(int argc, char** argv) {
  cxxopts::Options options("gputest run",
                           "Runs an OpenCL program as it is, and says what its launches cover of "
                           "its kernels, or whether it notices changes of them.\n");
  options.custom_help("--coverage|--mutation [OPTION…] --").positional_help("PROGRAM [ARGUMENT…]");
  options.add_options()("coverage", "measure coverage")(
      "mutation", "run the program once for each mutant of its kernels")("h,help", "print this");
  add_program_options(options);
  add_mutation_run_options(options);
  add_report_options(options);
  ProgramCommand command = split_command(argc, argv);
  const cxxopts::ParseResult arguments =
      options.parse(static_cast<int>(command.options.size()), command.options.data());
  if (arguments.count("help") > 0) {
    std::cout << options.help();
    return Held;
  }
  if (arguments.count("coverage") + arguments.count("mutation") != 1)
    throw CommandError("error: what is to be measured? Give --coverage or --mutation");
  if (arguments.count("mutation") > 0) {
    check_mutation_run_options(arguments);
    return run_mutation(prepare_program(arguments, command), arguments);
  }
  refuse_mutation_run_options(arguments);
  coverage_thresholds(arguments); // wrong ones are told before anything is run
  return run_coverage(prepare_program(arguments, command), arguments);
}

} // namespace

int run_program_command(int argc, char** argv) {
  return run_command("run", [&] { return run(argc, argv); });
}

} // namespace gputest::driver
