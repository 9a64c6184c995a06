// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/replayed_program.h"

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

ProgramRun prepare_replay(const std::string& name, const std::vector<std::string>& kernel_files,
                          const ProgramCommand& command, const fs::path& output) {
  std::vector<std::string> words{"replay", "--output=" + output.string(), "--name=" + name};
  for (const std::string& file : kernel_files)
    words.push_back("--kernels=" + file);
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  cxxopts::Options options("gputest replay");
  add_program_options(options);
  return prepare_program(options.parse(static_cast<int>(pointers.size()), pointers.data()),
                         command);
}

} // namespace gputest::driver
