// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-passes: the subcommands of gputest that need Clang. gputest starts it.
#include "driver/command_error.h"
#include "driver/commands.h"

#include <array>
#include <string_view>

namespace {

struct Subcommand {
  std::string_view name;
  int (*run)(int argc, char** argv);
};

constexpr std::array kSubcommands{Subcommand{"cuda", gputest::driver::cuda_command},
                                  Subcommand{"cuda-compare", gputest::driver::cuda_compare_command},
                                  Subcommand{"describe", gputest::driver::describe_command},
                                  Subcommand{"instrument", gputest::driver::instrument_command},
                                  Subcommand{"mutants", gputest::driver::mutants_command},
                                  Subcommand{"show", gputest::driver::show_command},
                                  Subcommand{"schedule", gputest::driver::schedule_command}};

} // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  for (const Subcommand& command : kSubcommands)
    if (command.name == name)
      return gputest::driver::run_command(name, [&] { return command.run(argc - 1, argv + 1); });
  return gputest::driver::refuse_by_hand("gputest-passes");
}
