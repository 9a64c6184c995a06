#include "cuda/compiler/process.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>

extern char** environ; // NOLINT: only some systems declare it

namespace gputest::cuda::compiler {

int start(const Arguments& arguments, bool verbose) {
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
  const int error =
      ::posix_spawnp(&process, pointers[0], nullptr, nullptr, pointers.data(), environ);
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

} // namespace gputest::cuda::compiler
