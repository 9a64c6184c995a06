// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-cuda-run: an older name of `gputest run-cuda --check`. It takes --name, --output (a
// folder that gets one of this name), --check LIST, --timeout and --zero-shared.
#include "driver/command_error.h"
#include "driver/commands.h"

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace {

constexpr const char* kUsage = "usage: gputest-cuda-run --name NAME --output FOLDER [--check LIST] "
                               "[--timeout S] [--zero-shared] -- COMMAND…\n";

// Returns the words of `gputest run-cuda`.
std::vector<std::string> translated(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"run-cuda"};
  std::string name, output, checks = "--check";
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i] != "--"; i += 2) {
    if (arguments[i] == "--zero-shared") {
      words.push_back(arguments[i]);
      --i;
      continue;
    }
    if (i + 1 == arguments.size())
      throw gputest::driver::CommandError(
          fmt::format("error: '{}' is not expected, or has no value", arguments[i]));
    const std::string &option = arguments[i], &value = arguments[i + 1];
    if (option == "--name")
      name = value;
    else if (option == "--output")
      output = value;
    else if (option == "--check")
      checks = value.empty() ? "--check" : "--check=" + value;
    else if (option == "--timeout")
      words.insert(words.end(), {option, value});
    else
      throw gputest::driver::CommandError(fmt::format("error: there is no option '{}'", option));
  }
  if (name.empty() || output.empty() || i + 1 >= arguments.size())
    throw gputest::driver::CommandError("error: --name, --output and a command are needed");
  words.insert(words.end(), {checks, "--name", name, "--output",
                             (std::filesystem::path(output) / name).string()});
  words.insert(words.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  return words;
}

} // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words;
  std::vector<char*> pointers;
  const auto run = [&] {
    words = translated({argv + 1, argv + argc});
    for (std::string& word : words)
      pointers.push_back(word.data());
    return gputest::driver::run_cuda_command(static_cast<int>(pointers.size()), pointers.data());
  };
  const int code = gputest::driver::run_command("gputest-cuda-run", run);
  if (words.empty())
    fmt::print(stderr, "{}", kUsage);
  return code;
}
