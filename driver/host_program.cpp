// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_program.h"

#include "driver/command_error.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace gputest::driver {

namespace fs = std::filesystem;

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

void become(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(words.front().c_str(), pointers.data());
  throw CommandError(
      fmt::format("{}: error: cannot be started: {}", words.front(), std::strerror(errno)));
}

} // namespace gputest::driver
