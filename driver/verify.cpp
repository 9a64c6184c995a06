#include "driver/verify.h"

#include "driver/command_error.h"

#include <cerrno>
#include <cstring>
#include <cxxopts.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>
#include <vector>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// The host program: as named, or <name>_harness in the folder of results <name>.
fs::path find_harness(const fs::path& named) {
  const fs::path folder = fs::absolute(named).lexically_normal();
  const fs::path inside =
      folder /
      ((folder.has_filename() ? folder : folder.parent_path()).filename().string() + "_harness");
  const fs::path harness = fs::is_directory(named) ? inside : fs::path(fs::absolute(named));
  if (!fs::is_regular_file(harness))
    throw CommandError(
        fmt::format("{}: error: no such host program; gputest_add_kernel(<name> …) makes "
                    "<build>/gputest/<name>/<name>_harness",
                    harness.string()));
  return harness;
}

// Runs the host program in place of this process: no device is touched here.
int verify(int argc, char** argv) {
  cxxopts::Options options(
      "gputest verify",
      "Runs mutants in the program that holds all, and each by itself: do the verdicts agree?");
  options.add_options()("harness", "The host program, or its folder <build>/gputest/<name>",
                        cxxopts::value<std::string>())(
      "sample", "Only so many of the mutants; 0: all",
      cxxopts::value<unsigned>()->default_value("0"),
      "N")("seed", "That draws the sample", cxxopts::value<unsigned>(),
           "N")("device", "As the host program's --device", cxxopts::value<std::string>(),
                "NAME|INDEX")("h,help", "Print this");
  options.parse_positional({"harness"});
  options.positional_help("HARNESS");
  const cxxopts::ParseResult arguments = options.parse(argc, argv);
  if (arguments.count("help")) {
    fmt::print("{}", options.help());
    return Held;
  }
  if (!arguments.count("harness"))
    throw CommandError("error: which host program? Give it, or its folder <build>/gputest/<name>");
  const std::string harness = find_harness(arguments["harness"].as<std::string>()).string();
  std::vector<std::string> words{harness, "--verify",
                                 fmt::format("{}", arguments["sample"].as<unsigned>())};
  if (arguments.count("seed"))
    words.insert(words.end(), {"--seed", fmt::format("{}", arguments["seed"].as<unsigned>())});
  if (arguments.count("device"))
    words.insert(words.end(), {"--device", arguments["device"].as<std::string>()});
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(harness.c_str(), pointers.data());
  throw CommandError(
      fmt::format("{}: error: cannot be started: {}", harness, std::strerror(errno)));
}

} // namespace

int verify_command(int argc, char** argv) {
  return run_command("verify", [&] { return verify(argc, argv); });
}

} // namespace gputest::driver
