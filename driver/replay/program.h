// Running a whole program again, as a file says that one of its findings was made.
#pragma once

#include "driver/program_arguments.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// `words` where there are some, to be run here; else `command`, and the working directory becomes
// `directory`. `file` says so. Throws CommandError.
std::vector<std::string> replayed_command(const std::filesystem::path& file,
                                          std::vector<std::string> words,
                                          const std::vector<std::string>& command,
                                          const std::filesystem::path& directory);

// Prepares the run as the command line with these --name and --kernels does. Throws
// CommandError.
ProgramRun prepare_replay(const std::string& name, const std::vector<std::string>& kernel_files,
                          const ProgramCommand& command, const std::filesystem::path& output);

} // namespace gputest::driver
