// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/watch/steps.h"

#include "driver/command_error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::driver {
namespace {

constexpr int kLook = 20;                  // milliseconds between two looks at a program
constexpr int kLooksToEnd = 2'000 / kLook; // number of looks after which it is killed

// Returns whether the program has ended, and then sets `status`.
bool has_ended(pid_t process, int& status) {
  pid_t reaped = 0;
  while ((reaped = ::waitpid(process, &status, WNOHANG)) < 0 && errno == EINTR) {
  }
  return reaped != 0;
}

void end_group(pid_t process) {
  int status = 0;
  ::kill(-process, SIGTERM);
  bool ended = false;
  for (int i = 0; i < kLooksToEnd; ++i) {
    ended = ended || has_ended(process, status);
    // And no process of its group is left, which may be cleaning up.
    if (ended && ::kill(-process, 0) != 0)
      return;
    ::poll(nullptr, 0, kLook);
  }
  ::kill(-process, SIGKILL); // with what is left of the group
  if (!ended)
    ::waitpid(process, &status, 0);
}

} // namespace

bool run_step(const std::vector<std::string>& words, const model::EndSignals& signals,
              const std::filesystem::path& output) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  ::posix_spawnattr_setsigmask(&attributes, &signals.before());
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!output.empty())
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0666);
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  pid_t process = -1;
  const int failed =
      ::posix_spawnp(&process, arguments.front(), &files, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0)
    throw CommandError(
        fmt::format("{}: error: cannot be run: {}", words.front(), std::strerror(failed)));
  int status = 0;
  while (!has_ended(process, status)) {
    pollfd waiting{signals.descriptor(), POLLIN, 0};
    if (::poll(&waiting, 1, kLook) == 1) {
      signals.take();
      end_group(process);
      throw Ended();
    }
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace gputest::driver
