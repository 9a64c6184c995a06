// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/process.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT: only some systems declare it

namespace gputest::cuda::compiler {

namespace {

int run(const Arguments& arguments, const posix_spawn_file_actions_t* files, bool verbose) {
  if (verbose) {
    for (const std::string& argument : arguments)
      std::cerr << " \"" << argument << '"';
    std::cerr << '\n';
  }
  std::vector<char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, pointers[0], files, nullptr, pointers.data(), environ);
  if (error != 0)
    throw std::runtime_error("cannot start " + arguments[0] + ": " + std::strerror(error) +
                             "; GPUTEST_CLANG can name Clang 19");
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) // the program could not report it
    std::cerr << "gputest-cuda: error: " << arguments[0] << " has ended by signal "
              << WTERMSIG(status) << " (" << ::strsignal(WTERMSIG(status)) << ")\n";
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace

int start(const Arguments& arguments, bool verbose) {
  return run(arguments, nullptr, verbose);
}

int start_quietly(const Arguments& arguments, const std::string& output, bool verbose) {
  struct Files {
    Files() { ::posix_spawn_file_actions_init(&actions); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;
    ~Files() { ::posix_spawn_file_actions_destroy(&actions); }
    posix_spawn_file_actions_t actions{};
  } files;
  ::posix_spawn_file_actions_addopen(&files.actions, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ::posix_spawn_file_actions_adddup2(&files.actions, STDOUT_FILENO, STDERR_FILENO);
  return run(arguments, &files.actions, verbose);
}

} // namespace gputest::cuda::compiler
