// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/command.h"

#include "process/exec.h"
#include "process/memory_file.h"

#include <stdexcept>
#include <unistd.h>

namespace gputest::process {

CommandResult run_command(const std::vector<std::string>& arguments) {
  const MemoryFile output("output of a command");
  const Program program{
      .words = arguments,
      .descriptors = {{output.descriptor(), STDOUT_FILENO}, {output.descriptor(), STDERR_FILENO}},
      .ends_with_us = false};
  Execution execution(program);
  CommandResult result{.exit_code = 127};
  if (execution.start_as_nobodys({.waits = true}) > 0) {
    result.ended = ended_with(execution.status());
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
