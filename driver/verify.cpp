// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands.h"

#include "driver/command_error.h"
#include "driver/host_program.h"

#include <cxxopts.hpp>
#include <fmt/format.h>

namespace gputest::driver {

int verify_command(int argc, char** argv) {
  cxxopts::Options options(
      "gputest verify",
      "Runs mutants in the program that holds all of them, and each in its own program, and "
      "compares the verdicts");
  options.add_options()("harness", "The host program, or its folder <build>/gputest/<name>",
                        cxxopts::value<std::string>())(
      "sample", "Run only so many of the mutants; 0: all",
      cxxopts::value<std::string>()->default_value("0"),
      "N")("seed", "The seed of the sample", cxxopts::value<std::string>(),
           "N")("device", "The device, as for the host program", cxxopts::value<std::string>(),
                "NAME|INDEX")("h,help", "Print this");
  options.parse_positional({"harness"});
  options.positional_help("HARNESS");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help"))
    return print_help(options);
  if (!arguments.count("harness"))
    throw CommandError("error: which host program? Give it, or its folder <build>/gputest/<name>");
  std::vector<std::string> words{"", "--verify"};
  if (const auto sample = whole_option(arguments, "sample", {0, ~0U}); sample > 0)
    words.push_back(fmt::format("{}", sample));
  if (arguments.count("seed"))
    words.insert(words.end(),
                 {"--seed", fmt::format("{}", whole_option(arguments, "seed", {0, ~0U}))});
  if (arguments.count("device"))
    words.insert(words.end(), {"--device", arguments["device"].as<std::string>()});
  words.front() = find_harness(arguments["harness"].as<std::string>()).string();
  become(words);
}

} // namespace gputest::driver
