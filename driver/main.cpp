// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gputest command: starts a subcommand. Subcommands that look into kernels are in
// gputest-passes, gputest-generate and gputest-memory, beside this program. Clang and LLVM take
// longer to load than most of what is done here.
#include "driver/command_error.h"
#include "driver/commands.h"
#include "driver/host_program.h"
#include "driver/layer_file.h"
#include "model/help.h"
#include "model/names.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

int run_beside(const char* program, int argc, char** argv) {
  const auto file = gputest::driver::own_file().parent_path() / program;
  std::vector<std::string> words{file.string()};
  words.insert(words.end(), argv, argv + argc);
  gputest::driver::become(words);
}

int run_passes(int argc, char** argv) {
  return run_beside("gputest-passes", argc, argv);
}

int run_generate(int argc, char** argv) {
  return run_beside("gputest-generate", argc, argv);
}

// What is surely missing is said here, at once.
int run_generate_cases(int argc, char** argv) {
  const std::span words(argv + 1, static_cast<std::size_t>(argc) - 1);
  bool has_source = false;
  for (const std::string_view word : words) {
    const bool is_short = word.starts_with('-') && !word.starts_with("--");
    if (word.starts_with("--output") || word.starts_with("--help") ||
        (is_short && word.find_first_of("oh") != word.npos))
      return run_generate(argc, argv);
    has_source = has_source || !word.starts_with('-');
  }
  if (!has_source)
    return run_generate(argc, argv);
  throw gputest::driver::CommandError("error: --output is missing: say where cases are written to");
}

int run_memory(int argc, char** argv) {
  return run_beside("gputest-memory", argc, argv);
}

int run_devices(int argc, char** argv) {
  return run_beside("gputest-devices", argc, argv);
}

struct Subcommand {
  std::string_view name;
  int (*run)(int argc, char** argv);
  std::string_view summary;
};

constexpr std::array kSubcommands{
    Subcommand{"init", run_generate,
               "begin a project: first test cases of kernels, and a CMakeLists.txt"},
    Subcommand{"describe", run_passes, "write the interface of every kernel in a file, as JSON"},
    Subcommand{"instrument", run_passes, "write the instrumented variant of a file"},
    Subcommand{"generate", run_generate_cases,
               "write test cases that reach every outcome of a kernel"},
    Subcommand{"fuzz", run_generate, "look for inputs with which a kernel fails"},
    Subcommand{"compare-kernels", run_generate, "look for an input with which two kernels differ"},
    Subcommand{"prove", run_generate, "prove that no input can kill mutants"},
    Subcommand{"memory", run_memory, "say what makes test cases slow on the model of a GPU"},
    Subcommand{"harness", gputest::driver::harness_command, "write a host program for a kernel"},
    Subcommand{"mutants", run_passes, "list the mutants of a file, or write them"},
    Subcommand{"show", run_passes, "print one mutant as a patch"},
    Subcommand{"run", gputest::driver::run_program_command,
               "measure and check the kernels of an OpenCL or CUDA program"},
    Subcommand{"run-cuda", gputest::driver::run_cuda_command,
               "the same as run, for a program that is CUDA's whatever its file says"},
    Subcommand{"capture", gputest::driver::capture_command,
               "write the launches of an OpenCL program as test cases"},
    Subcommand{"schedule", run_passes, "write the variant of a file that runs under schedules"},
    Subcommand{"replay", gputest::driver::replay_command,
               "run a test case under the schedule of a file"},
    Subcommand{"report", gputest::driver::report_command,
               "merge results: terminal, HTML, lcov, Cobertura, SARIF, JUnit"},
    Subcommand{"cases", gputest::driver::cases_command,
               "say what each test case is worth, and which ones nothing needs"},
    Subcommand{"progress", gputest::driver::progress_command,
               "run a command and show the progress of its mutation tests"},
    Subcommand{"watch", gputest::driver::watch_command,
               "after a file is saved, build, and run the tests that depend on it"},
    Subcommand{"verify", gputest::driver::verify_command,
               "compare the verdicts of mutants in one program and in one program each"},
    Subcommand{"merge", gputest::driver::merge_command, "join stores of results"},
    Subcommand{"compare", gputest::driver::compare_command,
               "list cases and mutants whose verdicts differ between devices"},
    Subcommand{"resources", run_devices, "write CTest's resource specification of the devices"},
};

void print_usage(std::FILE* stream) {
  fmt::print(stream, "usage: gputest <command> [options]; gputest help <command> explains one\n\n");
  for (const Subcommand& command : kSubcommands)
    fmt::print(stream, "  {:<16}{}\n", command.name, command.summary);
}

void print_man_page() {
  using gputest::model::roff;
  fmt::print(
      "{}.SH NAME\ngputest \\- measures how good the tests of GPU kernels are, and what they miss\n"
      ".SH SYNOPSIS\n.B gputest\n<command> [OPTION…]\n.SH COMMANDS\n",
      gputest::model::man_title("gputest"));
  for (const Subcommand& command : kSubcommands)
    fmt::print(".TP\n.BR gputest\\-{} (1)\n{}\n", roff(command.name), roff(command.summary));
}

int main_with(int argc, char** argv);

// gputest help [--man] [COMMAND]
int help(int argc, char** argv) {
  const bool is_man = argc > 2 && std::string_view(argv[2]) == "--man";
  if (is_man)
    ::setenv("GPUTEST_HELP_FORMAT", "man", 1);
  const int at = is_man ? 3 : 2;
  if (argc == at) {
    is_man ? print_man_page() : print_usage(stdout);
    return gputest::driver::Held;
  }
  std::string command = argv[at], option = "--help"; // gputest COMMAND --help
  std::array words{argv[0], command.data(), option.data(), static_cast<char*>(nullptr)};
  return main_with(3, words.data());
}

int main_with(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h") {
    print_usage(stdout);
    return gputest::driver::Held;
  }
  if (name == "help")
    return help(argc, argv);
  if (name == "--version") {
    fmt::print("gputest {}\n", GPUTEST_VERSION);
    return gputest::driver::Held;
  }
  for (const Subcommand& command : kSubcommands)
    if (command.name == name)
      return gputest::driver::run_command(name, [&] { return command.run(argc - 1, argv + 1); });
  const auto meant = gputest::model::meant_name(kSubcommands, name, &Subcommand::name);
  if (!name.empty() && !meant.empty()) {
    fmt::print(stderr, "gputest: error: no command '{}'; did you mean '{}'?\n", name, meant);
    return gputest::driver::WrongInput;
  }
  if (!name.empty())
    fmt::print(stderr, "gputest: error: no command '{}'\n", name);
  print_usage(stderr);
  return gputest::driver::WrongInput;
}

} // namespace

int main(int argc, char** argv) {
  return gputest::driver::run_command("", [&] { return main_with(argc, argv); });
}
