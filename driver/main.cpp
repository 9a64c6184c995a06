// The gputest command: picks a subcommand.
#include "driver/capture.h"
#include "driver/command_error.h"
#include "driver/describe.h"
#include "driver/harness.h"
#include "driver/instrument.h"
#include "driver/merge.h"
#include "driver/mutants.h"
#include "driver/progress.h"
#include "driver/replay.h"
#include "driver/report.h"
#include "driver/run.h"
#include "driver/schedule.h"
#include "driver/verify.h"

#include <array>
#include <fmt/format.h>
#include <string_view>

namespace {

struct Subcommand {
  std::string_view name;
  int (*run)(int argc, char** argv);
  std::string_view summary;
};

constexpr std::array kSubcommands{
    Subcommand{"describe", gputest::driver::describe_command,
               "the interface of every kernel in a file, as JSON"},
    Subcommand{"instrument", gputest::driver::instrument_command,
               "write the instrumented variant of a file"},
    Subcommand{"harness", gputest::driver::harness_command, "write a host program for a kernel"},
    Subcommand{"mutants", gputest::driver::mutants_command,
               "list the mutants of a file, or write them"},
    Subcommand{"show", gputest::driver::show_command, "print one mutant as a patch"},
    Subcommand{"run", gputest::driver::run_program_command,
               "run an OpenCL program as it is and say what it covers of its kernels"},
    Subcommand{"capture", gputest::driver::capture_command,
               "write the launches of an OpenCL program as test cases"},
    Subcommand{"schedule", gputest::driver::schedule_command,
               "write the variant of a file that runs under schedules"},
    Subcommand{"replay", gputest::driver::replay_command,
               "run a test case under the schedule of a file"},
    Subcommand{"report", gputest::driver::report_command,
               "merge results: terminal, HTML, lcov, Cobertura, SARIF, JUnit"},
    Subcommand{"progress", gputest::driver::progress_command,
               "run a command and show how far the tests are that it runs"},
    Subcommand{"verify", gputest::driver::verify_command,
               "compare mutants' verdicts in one program and in one each"},
    Subcommand{"merge", gputest::driver::merge_command, "join stores of results"},
};

void print_usage(std::FILE* stream) {
  fmt::print(stream,
             "usage: gputest <command> [options]; gputest <command> --help explains one\n\n");
  for (const Subcommand& command : kSubcommands)
    fmt::print(stream, "  {:<12}{}\n", command.name, command.summary);
}

} // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h") {
    print_usage(stdout);
    return gputest::driver::Held;
  }
  if (name == "--version") {
    fmt::print("gputest {}\n", GPUTEST_VERSION);
    return gputest::driver::Held;
  }
  for (const Subcommand& command : kSubcommands)
    if (command.name == name)
      return command.run(argc - 1, argv + 1);
  if (!name.empty())
    fmt::print(stderr, "gputest: error: no command '{}'\n", name);
  print_usage(stderr);
  return gputest::driver::WrongInput;
}
