// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/command.h"

#include "process/exec.h"
#include "process/memory_file.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace gputest::process {

namespace fs = std::filesystem;

std::optional<fs::path> find_program(const std::string& word) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  std::error_code error;
  const auto starts = [&](const fs::path& file) {
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
  };
  if (word.find('/') != std::string::npos)
    return starts(word) ? std::optional(fs::canonical(word)) : std::nullopt;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder) / word; starts(file))
      return fs::canonical(file);
  return std::nullopt;
}

CommandResult run_command(const std::vector<std::string>& arguments,
                          const std::map<std::string, std::string>& environment) {
  const MemoryFile output("output of a command");
  const Program program{
      .words = arguments,
      .environment = environment,
      .descriptors = {{output.descriptor(), STDOUT_FILENO}, {output.descriptor(), STDERR_FILENO}},
      .ends_with_us = false};
  Execution execution(program);
  CommandResult result{.exit_code = 127};
  if (execution.start_as_nobodys({.waits = true}) > 0) {
    const std::optional<int> status = execution.status();
    result.ended = status ? ended_with(*status) : Ended{.exit_code = 127, .is_unknown = true};
    result.output = output.text();
    result.exit_code =
        result.ended.signal != 0 ? 128 + result.ended.signal : result.ended.exit_code;
  } else {
    result.output = execution.problem();
  }
  return result;
}

pid_t start_command(const std::vector<std::string>& arguments, const std::vector<int>& kept) {
  Program program{.words = arguments, .ends_with_us = false};
  for (const int descriptor : kept)
    program.descriptors.emplace_back(descriptor, STDERR_FILENO + 1 +
                                                     static_cast<int>(program.descriptors.size()));
  Execution execution(program);
  const pid_t process = execution.start_as_nobodys({.closes = true});
  if (process < 0)
    throw std::runtime_error(execution.problem());
  return process;
}

} // namespace gputest::process
