#include "runtime/subprocess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <sched.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gputest::runtime {
namespace {

// Programs under the layer wait for children of theirs, and must meet none of ours. What runs the
// command is therefore a grandchild. The child between never runs anything else, because that would
// make it an ordinary child: one without a signal at its end is seen by __WCLONE alone. Both share
// this process's memory, as with vfork(), so that its size does not matter; this thread waits.
struct Spawn {
  char* const* arguments;
  int output;       // file
  sigset_t signals; // to be blocked in the command
  int status = 0;   // of the command
  int error = 0;    // it could not be started
};

constexpr std::size_t kStackBytes = std::size_t{64} << 10;
struct Stack {
  alignas(64) std::array<std::byte, kStackBytes> bytes;
  void* end() { return bytes.data() + bytes.size(); } // it grows down
};
struct Stacks {
  Stack between, command;
};

struct Between {
  Spawn spawn;
  Stacks* stacks;
};

int run_program(void* data) {
  Spawn& spawn = static_cast<Between*>(data)->spawn;
  if (::dup2(spawn.output, STDOUT_FILENO) >= 0 && ::dup2(spawn.output, STDERR_FILENO) >= 0) {
    ::sigprocmask(SIG_SETMASK, &spawn.signals, nullptr);
    ::execve(spawn.arguments[0], spawn.arguments, environ);
  }
  spawn.error = errno;
  ::_exit(127);
}

int wait_for_program(void* data) {
  auto& between = *static_cast<Between*>(data);
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &usual, nullptr); // a program that ignores it has no child to wait for
  const pid_t command =
      ::clone(run_program, between.stacks->command.end(), CLONE_VM | CLONE_VFORK | SIGCHLD, data);
  if (command < 0)
    between.spawn.error = errno;
  else
    while (::waitpid(command, &between.spawn.status, 0) < 0 && errno == EINTR)
      ;
  ::_exit(0);
}

std::string content_of(int file) {
  std::string content;
  std::array<char, 4096> chunk{};
  for (;;) {
    const ssize_t count =
        ::pread(file, chunk.data(), chunk.size(), static_cast<off_t>(content.size()));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return content;
    content.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

} // namespace

CommandResult run_command(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const int output = ::memfd_create("output of a command", MFD_CLOEXEC);
  if (output < 0)
    throw std::runtime_error("cannot make a file for the output of a command");
  const auto stacks = std::make_unique<Stacks>();
  Between between{.spawn = {.arguments = pointers.data(), .output = output, .signals = {}},
                  .stacks = stacks.get()};
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &between.spawn.signals); // no handler runs in our children
  const pid_t child =
      ::clone(wait_for_program, stacks->between.end(), CLONE_VM | CLONE_VFORK, &between);
  if (child < 0)
    between.spawn.error = errno;
  else
    while (::waitpid(child, nullptr, __WCLONE) < 0 && errno == EINTR)
      ;
  ::pthread_sigmask(SIG_SETMASK, &between.spawn.signals, nullptr);
  CommandResult result{127, ""};
  if (between.spawn.error == 0) {
    const int status = between.spawn.status;
    result.output = content_of(output);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  ::close(output);
  return result;
}

} // namespace gputest::runtime
