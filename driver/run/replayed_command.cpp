// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/replayed_command.h"

#include "driver/command_error.h"

#include <fmt/format.h>

namespace gputest::driver {

namespace fs = std::filesystem;

std::vector<std::string> replayed_command(const fs::path& file, std::vector<std::string> words,
                                          const std::vector<std::string>& command,
                                          const fs::path& directory) {
  if (!words.empty())
    return words;
  std::error_code error;
  fs::current_path(directory, error);
  if (error)
    throw CommandError(fmt::format("{}: error: the program was run in {}, which is not there; "
                                   "name the program behind '--', and it is run here",
                                   file.string(), directory.string()));
  return command;
}

} // namespace gputest::driver
